import { join } from 'node:path';
import { run } from '../../tools/n8n/processes/process';
import { startBenchAgency } from './agency/process';
import { median, shown } from './measure';
import type { Bench, Row } from './table';

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
  async run({ rounds }) {
    const agency = await startBenchAgency();
    try {
      const several = async (who: string, work: string, files = 1): Promise<Measured[]> => {
        const all: Measured[] = [];
        for (let round = 0; round < rounds; round += 1) {
          all.push(
            await contender(['--url', agency.url, '--who', who, '--work', work, '--files', String(files)]),
          );
        }
        return all;
      };
      const four = await several('ours', 'upload', FILES);
      const one = await several('ours', 'upload');
      const fourByHttp = await several('http', 'upload', FILES);
      const download = await several('ours', 'download');
      const downloadByHttp = await several('http', 'download');
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
  const peaks = ours.map(({ peak }) => peak);
  return {
    work,
    ours: shown(peaks, 'MB'),
    other: shown(
      other.map(({ peak }) => peak),
      'MB',
    ),
    floor: '–',
    ratio: `${median(peaks).toFixed(0)} MB`,
    target: `at most ${most} MB`,
    met: median(peaks) <= most,
  };
}

function middleRow(four: Measured[], one: Measured[], other: Measured[]): Row {
  const middles = (all: Measured[]) => all.map(({ middle }) => middle);
  const [ofFour, ofOne] = [median(middles(four)), median(middles(one))];
  return {
    work: `${FILES} uploads of 48 MB, heap and buffers in the middle above idle`,
    ours: `${shown(middles(four), 'MB', 1)}; one: ${shown(middles(one), 'MB', 1)}`,
    other: shown(middles(other), 'MB', 1),
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
