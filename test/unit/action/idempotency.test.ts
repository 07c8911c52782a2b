import type { IBinaryData, INodeExecutionData } from 'n8n-workflow';
import { fingerprintOf, ownKeyOf } from '../../../nodes/AccountingAgency/engine/idempotency';

describe('The fingerprint of an item', () => {
  const file: IBinaryData = { data: 'YQ==', fileName: 'a.pdf', mimeType: 'application/pdf', fileSize: '1 B' };
  const item = (changes: Partial<IBinaryData> = {}): INodeExecutionData => ({
    json: { row: 1 },
    binary: { data: { ...file, ...changes } },
  });

  test('is the same wherever n8n keeps its files', () => {
    const kept = { data: 'filesystem-v2', id: 'filesystem-v2:workflows/1', directory: 'workflows/1' };
    expect(fingerprintOf(item(kept))).toBe(fingerprintOf(item()));
  });

  test('is the same wherever n8n keeps the files in its JSON', () => {
    const combined = (changes: Partial<IBinaryData>): INodeExecutionData =>
      Object({ json: { row: 1, _files: { data: { ...file, ...changes } } } });
    const kept = { data: 'filesystem-v2', id: 'filesystem-v2:workflows/1/executions/1/binary_data/a' };
    const elsewhere = { ...kept, id: 'filesystem-v2:workflows/1/executions/2/binary_data/b' };
    expect(fingerprintOf(combined(elsewhere))).toBe(fingerprintOf(combined(kept)));
    expect(fingerprintOf(combined({ fileName: 'b.pdf' }))).not.toBe(fingerprintOf(combined({})));
    expect(fingerprintOf(combined({}))).not.toBe(fingerprintOf({ json: { row: 1 } }));
  });

  test.each<[string, INodeExecutionData]>([
    ['of other data', { ...item(), json: { row: 2 } }],
    ['without its file', { json: { row: 1 } }],
    ['whose file has another property', { json: { row: 1 }, binary: { attachment: file } }],
    ['whose file has another name', item({ fileName: 'b.pdf' })],
    ['whose file has another type', item({ mimeType: 'text/plain' })],
    ['whose file has another size', item({ fileSize: '2 B' })],
  ])('is another one for an item %s', (_, other) => {
    expect(fingerprintOf(other)).not.toBe(fingerprintOf(item()));
  });

  test('is also there for an item whose file a Code node has left empty', () => {
    const empty: INodeExecutionData = JSON.parse('{ "json": {}, "binary": { "data": null } }');
    expect(fingerprintOf(empty)).toMatch(/^[0-9a-f]{64}$/);
  });

  test('cannot be made of an item that contains itself', () => {
    const json: INodeExecutionData['json'] = {};
    json.self = json;
    expect(() => fingerprintOf({ json })).toThrow(
      expect.objectContaining({
        message:
          'The input item contains data that cannot be written as JSON, such as an object that contains itself.',
        description: 'Remove it before this node, e.g. with "Edit Fields".',
      }),
    );
  });
});

describe("The user's own key", () => {
  test.each([
    ['mail-1', '', 'mail-1'],
    ['mail-1', 'file', 'mail-1:file'],
    [' ~', '', ' ~'],
    ['ü\t', 'file', '%C3%BC%09:file'],
    ['k'.repeat(200), '', 'k'.repeat(200)],
  ])('%j of the step %j is sent as %j', (given, step, sent) => expect(ownKeyOf(given, step)).toBe(sent));

  test.each([
    ['k'.repeat(201), '', 201, 200],
    ['k'.repeat(196), 'file', 201, 195],
  ])('is refused when it is too long for the step: %s %j', (given, step, length, most) => {
    expect(() => ownKeyOf(given, step)).toThrow(
      expect.objectContaining({
        message: `Idempotency Key is ${length} characters long, including what the node adds.`,
        description: `Use at most ${most} characters.`,
      }),
    );
  });
});
