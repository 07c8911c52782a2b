import { runAction } from '../../support/action/action';
import { enumOf } from '../../support/sandbox/contract';
import { useSandbox } from '../../support/sandbox/sandbox';
import { fastTime } from '../../support/time/time';
import { by, companies, planned } from './api-errors/provoke';
import { ROWS } from './api-errors/rows';

const sandbox = useSandbox();
fastTime(sandbox);

test('there is a row for each code of the contract', () => {
  expect(Object.keys(ROWS).sort()).toEqual([...enumOf('ErrorCode')].sort());
});

describe.each(Object.entries(ROWS))('%s', (code, { status, message, resolution, provoke }) => {
  test('stops the node with what happened, the item and the way out', async () => {
    const { parameters, changes } = await provoke(sandbox());
    const { error } = await runAction(sandbox(), parameters, changes);
    const text = error?.message ?? '';
    expect(text).toMatch(/ \[item 0\]$/);
    expect(text.replace(/ \[item 0\]$/, '')).toMatch(message);
    expect(error?.description).toContain(resolution);
    expect(error?.description).not.toMatch(/req_/);
    expect(error).toMatchObject({ httpCode: String(status) });
    expect(error?.context).toMatchObject({
      itemIndex: 0,
      data: { code, status, requestId: expect.any(String) },
    });
    const { credential } = { ...by(sandbox(), sandbox().keys.full), ...changes };
    expect(JSON.stringify(error)).not.toContain(credential.token);
  });

  test('goes to the error output with the same facts', async () => {
    const { parameters, changes } = await provoke(sandbox());
    const { outputs } = await runAction(sandbox(), parameters, {
      onError: 'continueErrorOutput',
      ...changes,
    });
    expect(outputs[0]).toEqual([]);
    const [item] = outputs[1] ?? [];
    expect(item?.json.error).toMatch(message);
    expect(item?.json.message).toContain(resolution);
    expect(item?.json.details).toMatchObject({ code, status });
  });
});

test('a 400 with the code of a validation says the same', async () => {
  const { parameters } = await planned(sandbox(), 'VALIDATION_ERROR', { status: 400 });
  const { error } = await runAction(sandbox(), parameters);
  expect(error?.message).toMatch(/^The agency did not accept the request/);
  expect(error?.context?.data).toMatchObject({ code: 'VALIDATION_ERROR', status: 400 });
});

test.each(['expired', 'foreign', 'revoked'] as const)(
  'the key "%s" gets what may be wrong with it',
  async (name) => {
    const { error } = await runAction(sandbox(), companies, by(sandbox(), sandbox().keys[name]));
    expect(error?.message).toMatch(/does not accept the API key or access token\. \[item 0\]$/);
    expect(error?.description).toContain('revoked or expired');
  },
);
