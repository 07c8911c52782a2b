import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { benchAgencyAt } from '../agency/process';
import { runChain, type Source, type Step, stepMakers } from '../in-process';
import { downloadByHttp, downloadByOurs, uploadByHttp, uploadByOurs } from '../contenders/parameters';
import { ProcessMemory } from './process-memory';

/**
 * One measurement of memory, in a process of its own, which has to run with --expose-gc: sets a contender to move
 * large files, looks at the heap in the middle of the transfer, and at the highest resident memory at the end.
 * Prints one line of JSON; all numbers are megabytes above the idle process.
 */
const BYTES = { small: 2 * 1024 * 1024, large: 48 * 1024 * 1024 };
const WARM_UPS = 5;
const COMPANY = 'company-1';
const TOKEN = 'key';

type Size = keyof typeof BYTES;

interface Measured {
  peak: number;
  middle: number;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      who: { type: 'string', default: 'ours' },
      work: { type: 'string', default: 'upload' },
      files: { type: 'string', default: '1' },
      url: { type: 'string', default: '' },
    },
  });
  const isUpload = values.work === 'upload';
  const store = new Store(Number(values.files));
  const move = async (size: Size) => {
    const steps = await stepsOf(values.who, isUpload, values.url, size);
    const input = isUpload ? store.source(size) : async () => [{ json: {} }];
    await runChain(steps, { address: values.url, token: TOKEN }, input);
  };

  // Small files first, so that everything is loaded and compiled, and the large ones are stored already.
  for (let time = 0; time < WARM_UPS; time += 1) await move('small');
  const transfers = isUpload ? Number(values.files) : 1;
  console.log(JSON.stringify(await measured(values.url, transfers, async () => await move('large'))));
}

async function stepsOf(who: string, isUpload: boolean, url: string, size: Size): Promise<Step[]> {
  const { ours, http } = await stepMakers();
  if (isUpload) {
    return who === 'ours' ? [ours(uploadByOurs(COMPANY, 5))] : uploadByHttp(url, COMPANY, TOKEN).map(http);
  }
  return [who === 'ours' ? ours(downloadByOurs(size)) : http(downloadByHttp(url, size, TOKEN))];
}

async function measured(url: string, transfers: number, move: () => Promise<unknown>): Promise<Measured> {
  const agency = benchAgencyAt(url);
  const memory = await ProcessMemory.watch();
  await agency.gate(true);
  const moving = move();
  while ((await agency.counts()).held < transfers) await wait(10);
  const middle = await memory.held();
  await agency.gate(false);
  await moving;
  return { peak: await memory.peak(), middle };
}

/** Files in n8n's binary store, all written there, piece by piece, when they are first asked for. */
class Store {
  private items?: Record<Size, INodeExecutionData[]>;

  constructor(private readonly count: number) {}

  source(size: Size): Source {
    const items = async (context: IExecuteFunctions) =>
      (this.items ??= {
        small: await this.stored(context, 'small'),
        large: await this.stored(context, 'large'),
      });
    return async function () {
      return (await items(this))[size];
    };
  }

  private async stored({ helpers }: IExecuteFunctions, size: Size): Promise<INodeExecutionData[]> {
    const items: INodeExecutionData[] = [];
    for (let index = 0; index < this.count; index += 1) {
      const stream = Readable.from(pieces(BYTES[size]), { objectMode: false });
      const data = await helpers.prepareBinaryData(stream, `${size}-${index}.pdf`, 'application/pdf');
      items.push({ json: {}, binary: { data } });
    }
    return items;
  }
}

function* pieces(bytes: number): Generator<Buffer> {
  const piece = Buffer.alloc(64 * 1024, 7);
  for (let length = 0; length < bytes; length += piece.length) yield piece;
}

void main();
