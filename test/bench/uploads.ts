import type { INodeExecutionData } from 'n8n-workflow';
import { type BenchAgency, startBenchAgency } from './agency/process';
import { Floor, type UploadFile, uploadFiles } from './contenders/floor';
import { runChain, storedFiles, type Step, stepMakers } from './in-process';
import { interleaved, median, ratios, shown, shownRatio, timed } from './measuring/measure';
import { uploadByHttp, uploadByOurs } from './contenders/parameters';
import type { Bench, Row, Setting } from './measuring/table';

const FILES = { quick: 60, all: 300 };
const LATENCY_MS = 100;
const WIDTHS = [5, 20];
const TOKEN = 'key';
const COMPANY = 'company-1';
const MOST = 1.05;

/** 300 uploads of 200 KB over a network that takes 100 ms for each answer. */
export const uploads: Bench = {
  name: 'uploads',
  async run(setting) {
    const agency = await startBenchAgency({ latencyMs: LATENCY_MS });
    try {
      const rows: Row[] = [];
      for (const width of WIDTHS) rows.push(await measure(agency, width, setting));
      return rows;
    } finally {
      await agency.stop();
    }
  },
};

async function measure(agency: BenchAgency, width: number, setting: Setting): Promise<Row> {
  const files = uploadFiles(setting.quick ? FILES.quick : FILES.all, 200 * 1024);
  const { ours, http } = await stepMakers();
  const input = storedFiles(files);
  const byNodes = async (steps: Step[]) => {
    const { items, turn } = await runChain(steps, { address: agency.url, token: TOKEN }, input);
    checkOrder(items, files);
    return turn;
  };
  const measured = await interleaved(
    {
      ours: async () => await byNodes([ours(uploadByOurs(COMPANY, width))]),
      other: async () => await byNodes(uploadByHttp(agency.url, COMPANY, TOKEN).map(http)),
      floor: async () =>
        await timed(async () => await new Floor(agency.url, TOKEN).upload(files, width, COMPANY)),
    },
    setting,
    ({ ours: turns, floor }) => ratios(turns, floor),
  );
  const reached = median(ratios(measured.ours, measured.floor));
  return {
    work: `${files.length} uploads of 200 KB, 100 ms latency, ${width} at a time, in process`,
    ours: shown(measured.ours, 'ms'),
    other: `${shown(measured.other, 'ms')}, all at once`,
    floor: shown(measured.floor, 'ms'),
    ratio: `${shownRatio(measured.ours, measured.floor)} of the floor, in order`,
    target: `at most ${MOST} of the floor, in order`,
    met: reached <= MOST,
  };
}

/** @throws Error when an item is not the document of its own file */
function checkOrder(items: INodeExecutionData[], files: UploadFile[]): void {
  const wrong = files.findIndex(({ name }, index) => items[index]?.json.name !== name);
  if (wrong !== -1 || items.length !== files.length) {
    throw new Error(`Item ${wrong} of ${items.length} is not the document of its file.`);
  }
}
