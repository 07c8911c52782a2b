import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Blobs } from '../../../sandbox/store/blobs';

let root = '';
let folder = '';
let blobs: Blobs;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'blobs-'));
  folder = join(root, 'files');
  blobs = new Blobs(folder);
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

const write = (text: string) => blobs.write(Readable.from([Buffer.from(text)]));

test('what breaks off leaves nothing behind', async () => {
  const source = new Readable({ read: () => undefined });
  source.push('half');
  const writing = blobs.write(source);
  source.destroy(new Error('gone'));
  await expect(writing).rejects.toThrow();
  expect(readdirSync(folder)).toEqual([]);
});

test('a disk that refuses is told as such', async () => {
  rmSync(folder, { recursive: true });
  await expect(write('x')).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE', status: 503 });
  await expect(blobs.open('missing')).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
  expect(await blobs.head('missing', 4)).toHaveLength(0);
});

test('only a temporary folder goes with the end', async () => {
  await write('x');
  blobs.close();
  expect(existsSync(folder)).toBe(true);
  const kept = await write('y');
  blobs.keepOnly(new Set([kept.name]));
  expect(readdirSync(folder)).toEqual([kept.name]);
});
