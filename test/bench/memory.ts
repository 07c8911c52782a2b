import { join } from 'node:path';
import { run } from '../../tools/n8n/processes/process';
import { startBenchAgency } from './agency/process';
import { median, shown } from './measuring/measure';
import type { Bench, Row } from './measuring/table';

const FILES = 4;
const MOST_UPLOAD_MB = 60;
const MOST_DOWNLOAD_MB = 75;
const MOST_MIDDLE_MB = 16;
/** How far the middle of four uploads may lie above that of one and still be the same: the heap itself varies so much. */
const SAME_MB = 6;
const CONTENDER = join(__dirname, 'memory/contender.ts');

interface Measured {
  peak: number;
  middle: number;
}

/** Memory while files of 48 MB are moved, with n8n's binary data on disk. */
export const memory: Bench = {
  name: 'memory',
  async run({ fewestRounds }) {
    const agency = await startBenchAgency();
    try {
      const measure = async (who: string, work: string, files = 1): Promise<Measured> =>
        await contender(['--url', agency.url, '--who', who, '--work', work, '--files', String(files)]);
      const four: Measured[] = [];
      const one: Measured[] = [];
      const fourByHttp: Measured[] = [];
      const download: Measured[] = [];
      const downloadByHttp: Measured[] = [];
      for (let round = 0; round < fewestRounds; round += 1) {
        four.push(await measure('ours', 'upload', FILES));
        one.push(await measure('ours', 'upload'));
        fourByHttp.push(await measure('http', 'upload', FILES));
        download.push(await measure('ours', 'download'));
        downloadByHttp.push(await measure('http', 'download'));
      }
      return [
        peakRow(`${FILES} uploads of 48 MB at once, peak above idle`, four, fourByHttp, MOST_UPLOAD_MB),
        middleRow(four, one, fourByHttp),
        peakRow('Download of 48 MB, peak above idle', download, downloadByHttp, MOST_DOWNLOAD_MB),
      ];
    } finally {
      await agency.stop();
    }
  },
};

function peakRow(work: string, ours: Measured[], other: Measured[], most: number): Row {
  const peaks = (all: Measured[]) => all.map(({ peak }) => ({ value: peak }));
  const reached = median(ours.map(({ peak }) => peak));
  return {
    work,
    ours: shown(peaks(ours), 'MB'),
    other: shown(peaks(other), 'MB'),
    floor: '–',
    ratio: `${reached.toFixed(0)} MB`,
    target: `at most ${most} MB`,
    met: reached <= most,
  };
}

function middleRow(four: Measured[], one: Measured[], other: Measured[]): Row {
  const [ofFour = 0, ofOne = 0, ofOther = 0] = [four, one, other].map((all) =>
    median(all.map(({ middle }) => middle)),
  );
  // No spread: a difference that may be nothing is no measure for one.
  return {
    work: `${FILES} uploads of 48 MB, heap and buffers in the middle above idle`,
    ours: `${ofFour.toFixed(1)} MB; one: ${ofOne.toFixed(1)} MB`,
    other: `${ofOther.toFixed(1)} MB`,
    floor: '–',
    ratio: `${ofFour.toFixed(1)} MB, one: ${ofOne.toFixed(1)} MB`,
    target: `at most ${MOST_MIDDLE_MB} MB, four not more than one`,
    met: ofFour <= MOST_MIDDLE_MB && ofFour <= ofOne + SAME_MB,
  };
}

/** Runs one measurement in a process of its own. */
async function contender(args: string[]): Promise<Measured> {
  const output = await run(process.execPath, ['--expose-gc', '--import', 'tsx', CONTENDER, ...args], {
    what: `Measuring ${args.join(' ')}`,
    resolution: 'Run "npm run build" first.',
  });
  return JSON.parse(output.trim().split('\n').at(-1) ?? '');
}
