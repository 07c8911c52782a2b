import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCredential } from '../../tools/n8n/credentials';
import type { Stage } from '../../tools/n8n/stage';
import { type BenchAgency, startBenchAgency } from './agency/process';
import { Floor, uploadFiles } from './contenders/floor';
import { type HostChain, type HostResult, runHostChain, saveChain } from './host/chain';
import { onStage } from './host/stage';
import { cpuOf } from './measuring/machine';
import {
  interleaved,
  median,
  ratios,
  type Rounds,
  shown,
  shownRatio,
  timed,
  type Turn,
} from './measuring/measure';
import { listByHttp, listByOurs, uploadByHttp, uploadByOurs } from './contenders/parameters';
import type { Bench, Row, Setting } from './measuring/table';

const FILES = uploadFiles(300, 200 * 1024);
const ROWS = 20_000;
const PAGES = 100;
const WIDTHS = [5, 20];
const COMPANY = 'company-1';
const TOKEN = 'key';
const MOST_UPLOADS = 0.2;
const MOST_LIST = 0.3;

/** Lists and uploads in a real n8n, beside its HTTP Request node with a "Header Auth" credential. */
export const hostCalls: Bench = {
  name: 'n8n-calls',
  async run(setting) {
    const agency = await startBenchAgency();
    const folder = await mkdtemp(join(tmpdir(), 'bench-files-'));
    try {
      await Promise.all(FILES.map(({ name, bytes }) => writeFile(join(folder, name), bytes)));
      return await onStage(setting, { filesFolder: folder }, async (stage) => {
        const nodes = await nodeMakers(stage, agency.url);
        const rows = [await listRow(stage, agency, nodes, setting)];
        for (const width of WIDTHS) {
          rows.push(await uploadRow(stage, agency, nodes, { folder, width, setting }));
        }
        return rows;
      });
    } finally {
      await rm(folder, { recursive: true });
      await agency.stop();
    }
  },
};

type Nodes = Awaited<ReturnType<typeof nodeMakers>>;

/** Nodes with their saved credentials: ours, and HTTP Request. */
async function nodeMakers({ session }: Stage, url: string) {
  const agency = { name: 'Agency', type: 'accountingAgencyApi', data: { address: url, token: TOKEN } };
  const header = {
    name: 'Header',
    type: 'httpHeaderAuth',
    data: { name: 'Authorization', value: `Bearer ${TOKEN}` },
  };
  const [ours, http] = [await createCredential(session, agency), await createCredential(session, header)];
  const node =
    (type: string, typeVersion: number, credential: typeof ours) =>
    (name: string, parameters: Record<string, unknown>) => ({
      name,
      type,
      typeVersion,
      parameters,
      credentials: { [credential.type]: { id: credential.id, name: credential.name } },
    });
  return {
    ours: node('n8n-nodes-accounting-agency.accountingAgency', 1, ours),
    http: node('n8n-nodes-base.httpRequest', 4.5, http),
  };
}

async function listRow(stage: Stage, agency: BenchAgency, nodes: Nodes, setting: Setting): Promise<Row> {
  const { session } = stage;
  const ours = await saveChain(session, [], [nodes.ours('Ours', listByOurs({ returnAll: true }))]);
  const http = await saveChain(session, [], [nodes.http('HTTP', listByHttp(agency.url))]);
  const turn = async (chain: HostChain, count: number) => {
    const { items, ...taken } = await hostTurn(stage, chain);
    if (items.length !== count) throw new Error(`There came ${items.length} items instead of ${count}.`);
    return taken;
  };
  const measured = await interleaved(
    {
      ours: async () => await turn(ours, ROWS),
      other: async () => await turn(http, PAGES),
      floor: async () => await timed(async () => await new Floor(agency.url, TOKEN).list()),
    },
    setting,
    judged,
  );
  return row('Return All, 20,000 documents, in n8n 2.41.1', measured, 'the HTTP Request node', MOST_LIST);
}

/** The part that ours takes of what a person would use instead. */
const judged = ({ ours, other }: Rounds) => ratios(ours, other);

/** A run, with the CPU time of n8n from its start until it is saved and read. */
async function hostTurn(stage: Stage, chain: HostChain): Promise<Turn & Pick<HostResult, 'items'>> {
  const { pid } = stage.n8n();
  const before = await cpuOf(pid);
  const { items, milliseconds } = await runHostChain(stage.session, chain);
  return { items, value: milliseconds, cpu: (await cpuOf(pid)) - before };
}

async function uploadRow(
  stage: Stage,
  agency: BenchAgency,
  nodes: Nodes,
  { folder, width, setting }: { folder: string; width: number; setting: Setting },
): Promise<Row> {
  const { session } = stage;
  const read = {
    name: 'Read',
    type: 'n8n-nodes-base.readWriteFile',
    typeVersion: 1,
    parameters: { operation: 'read', fileSelector: join(folder, '*'), options: {} },
  };
  const [file = {}, document = {}] = uploadByHttp(agency.url, COMPANY);
  const ours = await saveChain(session, [read], [nodes.ours('Ours', uploadByOurs(COMPANY, width))]);
  const http = await saveChain(session, [read], [nodes.http('File', file), nodes.http('Document', document)]);
  const turn = async (chain: HostChain) => {
    await agency.reset();
    const { value, cpu } = await hostTurn(stage, chain);
    const { files, documents } = await agency.counts();
    if (files !== FILES.length || documents !== FILES.length) {
      throw new Error(`There came ${files} files and ${documents} documents instead of ${FILES.length}.`);
    }
    return { value, cpu };
  };
  const measured = await interleaved(
    {
      ours: async () => await turn(ours),
      other: async () => await turn(http),
      floor: async () =>
        await timed(async () => await new Floor(agency.url, TOKEN).upload(FILES, width, COMPANY)),
    },
    setting,
    judged,
  );
  return row(
    `300 uploads of 200 KB, no latency, ${width} at a time, in n8n 2.41.1`,
    measured,
    'two HTTP Request nodes',
    MOST_UPLOADS,
  );
}

/** @param than what a person would use instead, beside which ours takes at most the part `most` of the time */
function row(work: string, measured: Rounds, than: string, most: number): Row {
  const reached = median(judged(measured));
  return {
    work,
    ours: shown(measured.ours, 'ms'),
    other: shown(measured.other, 'ms'),
    floor: shown(measured.floor, 'ms'),
    ratio: `${shownRatio(measured.ours, measured.other)} of ${than}`,
    target: `at most ${most} of ${than}`,
    met: reached <= most,
  };
}
