import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { contentOf, PERIOD } from '../agency/records';
import type { benchAgencyAt } from '../agency/process';
import { bareGet } from '../contenders/bare-get';
import { Floor } from '../contenders/floor';
import { runChain, type Source, type Step, type StepMakers, stepMakers, storedFiles } from '../in-process';
import { timed, type Turn } from '../measuring/measure';
import type { ProcessMemory } from '../memory/process-memory';
import { changeByHttp, getByHttp, getByOurs, pagesByHttp, uploadByOurs } from '../contenders/parameters';
import { until } from '../../support/time/until';

const TOKEN = 'key';
const COMPANY = 'company-1';
/** Files of an upload, half of which are there already. */
const FILES = 20;
/** Beyond all documents that there are. */
const NEW_FILES = 1_000_000;
const CHECK_EVERY_SECONDS = 20;

/** What a contender is set to do. */
export interface Task {
  agency: ReturnType<typeof benchAgencyAt>;
  /** How many items there are. */
  count: number;
  memory: ProcessMemory;
}

/** What became of it. */
export interface Result {
  turn: Turn;
  /** Kept until memory has been looked at. */
  items: unknown[];
  /** Megabytes in use in the middle, for work that waits. */
  held?: number;
}

/** Work with many records, as each contender does it. */
export type Work = Partial<Record<'ours' | 'http' | 'helper' | 'floor', (task: Task) => Promise<Result>>>;

/** A chain of nodes after a source. */
const chain =
  (
    steps: (makers: StepMakers, url: string) => Step[],
    source?: (count: number) => Source,
    staticData?: IDataObject,
  ) =>
  async ({ agency, count }: Task): Promise<Result> =>
    await runChain(
      steps(await stepMakers(), agency.url),
      { address: agency.url, token: TOKEN },
      source?.(count) ?? (async () => [{ json: {} }]),
      staticData,
    );

/** Get Obligations; the HTTP Request node's pages are taken apart by two Split Out nodes. */
const obligations: Work = {
  ours: chain(({ ours }) => [
    ours({
      resource: 'monthEndWork',
      operation: 'getObligations',
      period: 'other',
      month: PERIOD,
      returnAll: true,
      output: 'simplified',
    }),
  ]),
  http: chain(({ http, splitOut }, url) => [
    http(pagesByHttp(url, `/company-periods?period=${PERIOD}`, 'cursor', TOKEN)),
    splitOut('data'),
    splitOut('obligations'),
  ]),
};

/** Upload with Skip; what the HTTP Request node has to do for it is to read the list of documents. */
const skip: Work = {
  ours: chain(
    ({ ours }) => [ours({ ...uploadByOurs(COMPANY, 5), ifAlreadyThere: 'skip', lookBackDays: 90 })],
    () => storedFiles(someFiles()),
  ),
  http: chain(({ http }, url) => [
    http(pagesByHttp(url, `/documents?companyId=${COMPANY}`, 'cursor', TOKEN)),
  ]),
};

const someFiles = () =>
  Array.from({ length: FILES }, (_, index) => ({
    name: `document-${index}.pdf`,
    bytes: contentOf(index % 2 === 0 ? index : NEW_FILES + index),
  }));

const staticData: IDataObject = {};

/** Upload with Wait for Text Recognition; the HTTP Request node has to read the whole feed for it each time. */
const recognition: Work = {
  ours: chain(
    ({ ours }) => [
      ours({
        ...uploadByOurs(COMPANY, 5),
        options: { waitForRecognition: true, stopWaitingAfterSeconds: 60 },
      }),
    ],
    () => storedFiles(someFiles().slice(0, 1)),
    staticData,
  ),
  http: chain(({ http }, url) => [http(pagesByHttp(url, `/events?companyId=${COMPANY}`, 'after', TOKEN))]),
};

const SETTINGS: INodeParameters = {
  resource: 'companySettings',
  operation: 'update',
  companyId: { __rl: true, mode: 'id', value: '={{ $json.company }}' },
  agent: { mcpEnabled: false },
  whenApprovalNeeded: 'wait',
  checkEverySeconds: CHECK_EVERY_SECONDS,
  stopWaitingAfterMinutes: 15,
  output: 'simplified',
};

/** Changes that all wait for their approvals; the HTTP Request node asks, and again when all are approved. */
const approvals: Work = {
  ours: async (task) => {
    const { agency, count, memory } = task;
    const running = chain(({ ours }) => [ours(SETTINGS)], companies)(task);
    await until('all changes to wait', async () => (await agency.counts()).approvals >= count, 60_000);
    const held = await memory.held();
    await agency.approve();
    return { ...(await running), held };
  },
  http: async (task) => {
    await task.agency.approve();
    return await chain(({ http }, url) => {
      const body = { agent: { mcpEnabled: false } };
      const ask = changeByHttp(`=${url}/api/v1/companies/{{ $json.company }}/settings`, body, TOKEN);
      const repeat = `=${url}/api/v1/companies/{{ $json.error.details.approvalId.slice(4) }}/settings`;
      const approval = '={{ $json.error.details.approvalId }}';
      return [http(ask), http(changeByHttp(repeat, body, TOKEN, { 'Approval-Id': approval }))];
    }, companies)(task);
  },
};

const numbered =
  (name: string) =>
  (count: number): Source => {
    const items: INodeExecutionData[] = Array.from({ length: count }, (_, index) => ({
      json: { [name]: `${name}-${index}` },
    }));
    return async () => items;
  };
const companies = numbered('company');

/** A document for each item; bare loops of the same width are beside it, over n8n's request helper and over `fetch`. */
const items: Work = {
  ours: chain(({ ours }) => [ours(getByOurs('={{ $json.document }}'))], numbered('document')),
  http: chain(
    ({ http }, url) => [http(getByHttp(`=${url}/api/v1/documents/{{ $json.document }}`, TOKEN))],
    numbered('document'),
  ),
  helper: chain((_, url) => [bareGet(url, TOKEN, 5)], numbered('document')),
  floor: async ({ agency, count }) => {
    let read: unknown[] = [];
    const ids = Array.from({ length: count }, (_, index) => `document-${index}`);
    const turn = await timed(async () => {
      read = await new Floor(agency.url, TOKEN).documents(ids, 5);
    });
    return { turn, items: read };
  },
};

/** By the name that the program of one measurement calls it. */
export const WORKS: Record<string, Work> = { obligations, skip, recognition, approvals, items };
