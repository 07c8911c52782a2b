import type { FaultPlan } from '../../../../sandbox/control/faults';
import { runAction } from '../../../support/action/action';
import type { NodeResult } from '../../../support/engine';
import { mixedFaults } from '../../../support/proxies/faults';
import { itemsWithFiles, pdf } from '../../../support/action/files';
import type { TestSandbox } from '../../../support/sandbox/sandbox';
import { requestsTo, someCompany, uploadTo } from '../../../support/action/uploads';

/** What is left at the agency of uploads through a network that breaks. */
export interface Outcome {
  result: NodeResult;
  /** By the name of the file: the ids of its documents. */
  documents: Map<string, string[]>;
}

/** The name of the file of an item. */
export const nameOf = (index: number): string => `upload-${index}.pdf`;

/** A refusal that the node does not repeat by itself, so that it fails; n8n runs it again when it is set to. */
const REFUSAL: FaultPlan = {
  method: 'POST',
  path: '/documents',
  times: 1,
  fault: 'status',
  status: 409,
  code: 'CONFLICT',
  probability: 0.25,
};

/**
 * Uploads so many files while one in five requests goes wrong, and looks at what became of them.
 *
 * @param retryAfter seconds that a 429 asks to wait
 * @param fails whether the node fails once in the middle, with "Retry On Fail" on
 */
export async function uploadThroughFaults(
  sandbox: TestSandbox,
  count: number,
  { retryAfter, fails = false }: { retryAfter: number; fails?: boolean },
): Promise<Outcome> {
  const company = await someCompany(sandbox);
  const items = Array.from({ length: count }, (_, index) => ({
    json: { index },
    files: { data: { bytes: pdf(`file ${index} `), name: nameOf(index) } },
  }));
  await sandbox.control('faults', [...(fails ? [REFUSAL] : []), ...mixedFaults(0.2, retryAfter)]);
  const parameters = uploadTo(company, { options: { concurrency: 20 } });
  const input = itemsWithFiles(...items);
  const result = await runAction(sandbox, parameters, { input, retryOnFail: fails });
  await sandbox.control('faults', []);
  const answers = (await requestsTo(sandbox, 'POST', '/documents')).map(({ status }) => status);
  if (fails) expect(answers).toContain(409);
  return { result, documents: await uploadedDocuments(sandbox) };
}

/** The documents that were uploaded over the API, by the names of their files. */
export async function uploadedDocuments(sandbox: Pick<TestSandbox, 'call'>): Promise<Map<string, string[]>> {
  const documents = new Map<string, string[]>();
  for (let cursor: string | null | undefined; cursor !== null;) {
    const { body } = await sandbox.call<{
      data: { id: string; originalFilename: string }[];
      nextCursor: string | null;
    }>({ path: '/documents', query: { limit: 200, cursor } });
    for (const { id, originalFilename } of body.data) {
      if (!originalFilename.startsWith('upload-')) continue;
      documents.set(originalFilename, [...(documents.get(originalFilename) ?? []), id]);
    }
    cursor = body.nextCursor;
  }
  return documents;
}

/** Each file is one document, and each item is paired to its own. */
export function expectEachOnce({ result, documents }: Outcome, count: number): void {
  expect(result.error).toBeUndefined();
  expect(documents.size).toBe(count);
  expect([...documents].filter(([, ids]) => ids.length !== 1)).toEqual([]);
  const made = (result.outputs[0] ?? []).map(({ json, pairedItem }) => [
    json.originalFilename,
    json.id,
    pairedItem,
  ]);
  expect(made).toEqual(
    Array.from({ length: count }, (_, index) => [
      nameOf(index),
      documents.get(nameOf(index))?.[0],
      { item: index },
    ]),
  );
}
