import type { INodeListSearchResult } from 'n8n-workflow';
import { searchCompanies } from '../../../nodes/shared/fields/search-companies';
import { loadEngine } from '../../support/engine';
import { CHANGE_READINGS, EVENT_READINGS } from '../../support/proxies/event-readings';
import { jsonOfAnswer, type Reading, useReadingProxy } from '../../support/proxies/reading-proxy';
import { LIST_READINGS, READINGS } from '../../support/proxies/readings';
import { idOf, urlOf, useAgency } from '../../support/trigger/registered';
import { anEvent, signedCall } from '../../support/trigger/signing';
import { Host, keptEndpoint, type StoredWorkflow, storedWorkflow } from '../../support/trigger/trigger';
import { stageOf } from '../../support/workflow';

const agency = useAgency();
const proxy = useReadingProxy(() => agency().sandbox.url);

beforeAll(async () => {
  await loadEngine();
});

const credential = () => ({ address: proxy.address(), token: agency().sandbox.keys.full });

/** What the agency calls the workflow with, written in its way. */
function written(event: object, { answered }: Reading): string {
  const plain = {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(event)),
  };
  const asked = {
    method: 'POST',
    path: '/',
    query: new URLSearchParams(),
    headers: {},
    body: Buffer.alloc(0),
  };
  const changed = answered?.(plain, asked) ?? plain;
  return JSON.stringify(jsonOfAnswer(changed) ?? event);
}

async function takes(stored: StoredWorkflow, reading: Reading): Promise<unknown> {
  const event = anEvent({ id: `evt_${Math.random()}` });
  const call = signedCall(written(event, reading), String(keptEndpoint(stored)?.secret), event.id);
  return (await new Host().call(stored, call)).items?.[0]?.json.data;
}

/** All that the editor shows in the list behind a company field, page by page. */
async function listed(): Promise<INodeListSearchResult['results']> {
  const { LoadOptionsContext } = await loadEngine();
  const { workflow, node, data } = await stageOf(storedWorkflow(credential()), []);
  const context = new LoadOptionsContext(workflow, node, data.workflowExecuteAdditionalData, '');
  const all: INodeListSearchResult['results'] = [];
  let page: string | undefined;
  for (let pages = 0; pages < 20; pages += 1) {
    const { results, paginationToken } = await searchCompanies.call(context, undefined, page);
    all.push(...results);
    if (typeof paginationToken !== 'string') return all;
    page = paginationToken;
  }
  throw new Error('The list does not end.');
}

describe.each(Object.entries({ ...READINGS, ...LIST_READINGS, ...EVENT_READINGS, ...CHANGE_READINGS }))(
  'With an agency where %s,',
  (_, reading) => {
    const { writeId = (id: string) => id } = reading;
    beforeEach(() => proxy.read(reading));

    test('a publication leaves one endpoint, another one sets it, and unpublishing removes it', async () => {
      const host = new Host();
      const stored = storedWorkflow(credential(), { parameters: { events: ['document.received'] } });
      const only = async (eventTypes: string[]) => {
        const endpoints = agency().endpoints();
        expect(endpoints).toEqual([
          expect.objectContaining({ url: urlOf(stored), eventTypes, enabled: true }),
        ]);
        expect(idOf(stored)).toBe(writeId(String(endpoints[0]?.id)));
      };
      await host.activate(stored);
      await only(['document.received']);
      stored.parameters.events = ['all'];
      await host.activate(stored, 'update');
      await only(['*']);
      await host.activate(stored, 'init');
      await only(['*']);
      expect(await takes(stored, reading)).toBeDefined();
      await host.deactivate(stored);
      expect([agency().endpoints(), host.warnings]).toEqual([[], []]);
    });

    test('the list behind a company field has every company once', async () => {
      const ids = (await listed()).map(({ value }) => value);
      expect(ids.length).toBeGreaterThanOrEqual(260);
      expect(new Set(ids).size).toBe(ids.length);
    });
  },
);
