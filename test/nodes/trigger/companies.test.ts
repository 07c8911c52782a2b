import type { INodeListSearchResult } from 'n8n-workflow';
import { searchCompanies } from '../../../nodes/shared/fields/search-companies';
import { loadEngine } from '../../support/engine';
import { SPOILINGS, SpoilingProxy } from '../../support/proxies/spoiling-proxy';
import { passTimeFaster } from '../../support/time/fast-time';
import { useAgency } from '../../support/trigger/registered';
import { storedWorkflow } from '../../support/trigger/trigger';
import { stageOf } from '../../support/workflow';

const agency = useAgency();

/** What the editor asks for when the list of a company field is opened, searched or scrolled. */
async function search(
  filter?: string,
  page?: string,
  credential = agency().credential(),
): Promise<INodeListSearchResult> {
  const { LoadOptionsContext } = await loadEngine();
  const { workflow, node, data } = await stageOf(storedWorkflow(credential), []);
  const context = new LoadOptionsContext(workflow, node, data.workflowExecuteAdditionalData, '');
  return await searchCompanies.call(context, filter, page);
}

test('lists all companies, page by page, each once', async () => {
  const ids: unknown[] = [];
  let page: string | undefined;
  let pages = 0;
  do {
    const { results, paginationToken } = await search(undefined, page);
    ids.push(...results.map(({ value }) => value));
    page = typeof paginationToken === 'string' ? paginationToken : undefined;
    pages += 1;
  } while (page !== undefined && pages < 20);
  expect(page).toBeUndefined();
  expect(ids.length).toBeGreaterThanOrEqual(260);
  expect(new Set(ids).size).toBe(ids.length);
  expect(pages).toBe(Math.ceil(ids.length / 100));
});

test('finds a company by its name and by its code, and shows both', async () => {
  const { results } = await search();
  const withCode = results.find(({ name }) => /^\S.*\(\d+\)$/.test(name));
  const [, name, code] = /^(.*) \((\d+)\)$/.exec(withCode?.name ?? '') ?? [];
  for (const filter of [name, ` ${code} `]) {
    expect((await search(filter)).results).toContainEqual(withCode);
  }
});

test('shows a company without a code by its name alone', async () => {
  const { LoadOptionsContext } = await loadEngine();
  const { workflow, node, data } = await stageOf(storedWorkflow(agency().credential()), []);
  const context = new LoadOptionsContext(workflow, node, data.workflowExecuteAdditionalData, '');
  const named = (id: string, registrationCode: string | null) => ({ id, name: 'Tamm OÜ', registrationCode });
  const page = { data: [named('a', null), named('b', ''), named('c', '14')], nextCursor: null };
  jest
    .spyOn(context.helpers, 'httpRequestWithAuthentication')
    .mockResolvedValue({ statusCode: 200, headers: {}, body: JSON.stringify(page) });
  const { results } = await searchCompanies.call(context);
  expect(results.map(({ name }) => name)).toEqual(['Tamm OÜ', 'Tamm OÜ', 'Tamm OÜ (14)']);
});

test('finds nothing where there is nothing, and takes a search of any length', async () => {
  expect((await search('no company is called this')).results).toEqual([]);
  expect((await search('🧾'.repeat(300))).results).toEqual([]);
  expect((await search('   ')).results).toHaveLength(100);
});

test('waits for an agency that takes no requests for a moment, and says so at once when it is longer', async () => {
  const refuse = async (retryAfter: number) =>
    await agency().sandbox.control('faults', [{ times: 1, fault: 'status', status: 429, retryAfter }]);
  await refuse(1);
  expect((await search()).results).toHaveLength(100);
  await refuse(60);
  const start = Date.now();
  await expect(search()).rejects.toThrow(
    'The agency does not accept requests with this key for the next 1 minute.',
  );
  expect(Date.now() - start).toBeLessThan(5000);
});

test('shows only what the key may see, and says what is wrong with a key', async () => {
  const { singleCompany, revoked } = agency().sandbox.keys;
  expect((await search(undefined, undefined, agency().credential(singleCompany))).results).toHaveLength(1);
  await expect(search(undefined, undefined, agency().credential(revoked))).rejects.toThrow(
    'does not accept the API key',
  );
});

describe('An answer that was spoiled on its way', () => {
  let proxy: SpoilingProxy;
  beforeEach(async () => {
    passTimeFaster(20);
    proxy = await SpoilingProxy.start(agency().sandbox.url);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await proxy.close();
  });
  const searched = async () =>
    await search(undefined, undefined, { ...agency().credential(), address: proxy.address });

  // How long is waited for one that stands still, the test of timeouts tells.
  const spoilings = Object.entries(SPOILINGS).filter(([name]) => !name.endsWith('silence'));

  test.each(spoilings)('%s: is no list, and is asked for again', async (_, answer) => {
    proxy.spoil({ request: /^GET/, times: Number.POSITIVE_INFINITY, answer });
    await expect(searched()).rejects.toThrow(
      new RegExp(`${proxy.address}.*(not from the agency's API|could not be reached)`),
    );
    proxy.spoil({ request: /^GET/, times: 1, answer });
    expect((await searched()).results).toHaveLength(100);
  });
});
