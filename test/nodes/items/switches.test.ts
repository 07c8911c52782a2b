import type { INodeParameters } from 'n8n-workflow';
import { jsonOf, runAction } from '../../support/action/action';
import type { NodeRun } from '../../support/engine';
import { itemsWithFiles, pdf } from '../../support/action/files';
import { useSandbox } from '../../support/sandbox/sandbox';
import { fastTime } from '../../support/time/time';
import { useCompany, uploadTo } from '../../support/action/uploads';

const sandbox = useSandbox({ rateLimit: 'off' });
fastTime(sandbox);
const company = useCompany(sandbox);

const list = { resource: 'company', operation: 'getAll' };
const feed = { resource: 'event', operation: 'getAll', limit: 2 };
const input = itemsWithFiles({ files: { data: { bytes: pdf('a'), name: 'a.pdf' } } });

interface Switch {
  /** The parameters with the switch set to a value. */
  set: (value: string | boolean) => INodeParameters;
  /** Whether the output is that of the switch being on. */
  isOn: (output: unknown[]) => boolean;
  changes?: Partial<NodeRun>;
}

const has = (output: unknown[], field: string) => output.length > 0 && field in Object(output[0]);

const switches: Array<[string, Switch]> = [
  ['Return All', { set: (returnAll) => ({ ...list, returnAll }), isOn: (output) => output.length > 50 }],
  [
    'Return Position for Next Run',
    { set: (outputCursor) => ({ ...feed, outputCursor }), isOn: (output) => has(output, 'nextCursor') },
  ],
  [
    'Wait for Text Recognition',
    {
      set: (waitForRecognition) => uploadTo(company(), { options: { waitForRecognition } }),
      isOn: (output) => has(output, 'recognition'),
      changes: { input },
    },
  ],
];

describe.each(switches)('%s', (label, { set, isOn, changes }) => {
  test.each([
    [true, true],
    [false, false],
    ['={{ "true" }}', true],
    ['={{ " True " }}', true],
    ['={{ "false" }}', false],
    ['={{ true }}', true],
    ['={{ null }}', false],
  ])('%p is %p', async (value, on) => {
    expect(isOn(jsonOf(await runAction(sandbox(), set(value), changes)))).toBe(on);
  });

  test.each(['yes', '1'])('%p is refused by name before anything is asked for', async (word) => {
    const { error } = await runAction(sandbox(), set(`={{ "${word}" }}`), changes);
    expect(error?.message).toBe(`${label} must be true or false, not "${word}". [item 0]`);
    expect(await sandbox().requests()).toEqual([]);
  });
});

test('an Output that does not exist lets no write happen', async () => {
  const parameters = uploadTo(company(), { output: '={{ "maybe" }}' });
  const { error } = await runAction(sandbox(), parameters, { input });
  expect(error?.message).toBe('Output cannot be "maybe". [item 0]');
  expect(await sandbox().requests()).toEqual([]);
});
