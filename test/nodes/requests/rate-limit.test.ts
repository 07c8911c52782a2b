import { runAction } from '../../support/action';
import { loadEngine } from '../../support/engine';
import { useSandbox } from '../../support/sandbox';
import { fastTime } from '../../support/time';

const ITEMS = 1000;
const SIDE_BY_SIDE = 5;

const sandbox = useSandbox({ documents: 10 });
fastTime(sandbox);
beforeAll(async () => void (await loadEngine()));

test('1,000 items against 600 requests a minute give 1,000 results and no failed item', async () => {
  const { body } = await sandbox().call<{ data: Array<{ id: string }> }>({ path: '/companies?limit=200' });
  const input = Array.from({ length: ITEMS }, (_, index) => ({
    json: { id: body.data[index % body.data.length]?.id ?? '' },
  }));
  const { outputs, error } = await runAction(
    sandbox(),
    {
      resource: 'company',
      operation: 'get',
      companyId: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
      simplify: true,
      options: { sideBySide: SIDE_BY_SIDE },
    },
    { input },
  );
  expect(error).toBeUndefined();
  expect(outputs[0]?.map(({ json }) => json.id)).toEqual(input.map(({ json }) => json.id));
  const refused = (await sandbox().requests()).filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.length).toBeLessThanOrEqual(SIDE_BY_SIDE);
});
