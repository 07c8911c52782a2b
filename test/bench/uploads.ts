import type { INodeExecutionData } from 'n8n-workflow';
import { type BenchAgency, startBenchAgency } from './agency/process';
import { Floor, uploadFiles } from './floor';
import { runChain, storedFiles, type Step, stepMakers } from './in-process';
import { duration, interleaved, ratio, shown } from './measure';
import { uploadByHttp, uploadByOurs } from './parameters';
import { type Bench, type Row } from './table';

const FILES = uploadFiles(300, 200 * 1024);
const LATENCY_MS = 100;
const WIDTHS = [5, 20];
const TOKEN = 'key';
const COMPANY = 'company-1';
const MOST = 1.1;

/** 300 uploads of 200 KB over a network that takes 100 ms for each answer. */
export const uploads: Bench = {
  name: 'uploads',
  async run({ rounds }) {
    const agency = await startBenchAgency(LATENCY_MS);
    try {
      const rows: Row[] = [];
      for (const width of WIDTHS) rows.push(await measure(agency, width, rounds));
      return rows;
    } finally {
      await agency.stop();
    }
  },
};

async function measure(agency: BenchAgency, width: number, rounds: number): Promise<Row> {
  const { ours, http } = await stepMakers();
  const input = storedFiles(FILES);
  const byNodes = async (steps: Step[]) => {
    const { items, milliseconds } = await runChain(steps, { address: agency.url, token: TOKEN }, input);
    checkOrder(items);
    return milliseconds;
  };
  const measured = await interleaved(
    {
      ours: async () => await byNodes([ours(uploadByOurs(COMPANY, width))]),
      other: async () => await byNodes(uploadByHttp(agency.url, COMPANY, TOKEN).map(http)),
      floor: async () =>
        await duration(async () => await new Floor(agency.url, TOKEN).upload(FILES, width, COMPANY)),
    },
    rounds,
  );
  const reached = ratio(measured.ours, measured.floor);
  return {
    work: `300 uploads of 200 KB, 100 ms latency, ${width} side by side, in process`,
    ours: shown(measured.ours, 'ms'),
    other: `${shown(measured.other, 'ms')}, all at once`,
    floor: shown(measured.floor, 'ms'),
    ratio: `${reached.toFixed(2)} of the floor, in order`,
    target: `at most ${MOST} of the floor, in order`,
    met: reached <= MOST,
  };
}

/** @throws Error when an item is not the document of its own file */
function checkOrder(items: INodeExecutionData[]): void {
  const wrong = FILES.findIndex(({ name }, index) => items[index]?.json.name !== name);
  if (wrong !== -1 || items.length !== FILES.length) {
    throw new Error(`Item ${wrong} of ${items.length} is not the document of its file.`);
  }
}
