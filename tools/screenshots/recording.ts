import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { run } from '../n8n/processes/process';
import { ensureProgram } from '../n8n/processes/programs';
import type { Say } from '../n8n/stage';

/** Nobody wants to watch a slow machine think: a still moment is cut to this, and all together is shown in that time. */
const LONGEST_STILL_SECONDS = 0.8;
const MOST_SECONDS = 15;
/** How long the result stays before it begins again. */
const LAST_SECONDS = 3;
const WIDTH = 960;
const FRAMES_PER_SECOND = 8;

/** A picture of the page, and when it was taken, in seconds. */
interface Frame {
  image: Buffer;
  at: number;
}

/** Keeps what a page shows while `act` works on it, as a moving picture in the GIF file `path`. */
export async function record(page: Page, path: string, act: () => Promise<void>, say: Say): Promise<void> {
  const ffmpeg = await ensureProgram({ names: ['ffmpeg'], package: 'ffmpeg' }, say);
  const frames = await filmed(page, act);
  const folder = await mkdtemp(join(tmpdir(), 'frames-'));
  try {
    const list = join(folder, 'frames.txt');
    await writeFile(list, (await saved(frames, folder)).join('\n'));
    // A palette of its own keeps the file small and the text sharp.
    const filter = `fps=${FRAMES_PER_SECOND},scale=${WIDTH}:-1:flags=lanczos,split[a][b];[a]palettegen=max_colors=96[p];[b][p]paletteuse=dither=none:diff_mode=rectangle`;
    await run(ffmpeg, ['-y', '-loglevel', 'error', '-f', 'concat', '-i', list, '-vf', filter, path], {
      what: 'Making the animation',
      resolution: 'See what ffmpeg reports.',
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The browser sends a frame whenever the page has changed. */
async function filmed(page: Page, act: () => Promise<void>): Promise<Frame[]> {
  const frames: Frame[] = [];
  const devtools = await page.context().newCDPSession(page);
  devtools.on('Page.screencastFrame', ({ data, metadata, sessionId }) => {
    frames.push({ image: Buffer.from(data, 'base64'), at: metadata.timestamp ?? 0 });
    void devtools.send('Page.screencastFrameAck', { sessionId });
  });
  await devtools.send('Page.startScreencast', { format: 'jpeg', quality: 90 });
  await act();
  await devtools.send('Page.stopScreencast');
  await devtools.detach();
  return frames;
}

/** Saves each frame; gives the lines by which ffmpeg shows them one after the other. */
async function saved(frames: Frame[], folder: string): Promise<string[]> {
  const names = frames.map((_, index) => `${index}.jpg`);
  await Promise.all(
    frames.map(async ({ image }, index) => await writeFile(join(folder, `${index}.jpg`), image)),
  );
  const stills = frames
    .slice(1)
    .map(({ at }, index) => Math.min(at - (frames[index]?.at ?? at), LONGEST_STILL_SECONDS));
  const speed = Math.max(1, stills.reduce((sum, still) => sum + still, 0) / MOST_SECONDS);
  const shown = names.map((name, index) => {
    const still = stills[index];
    return `file '${name}'\nduration ${still === undefined ? LAST_SECONDS : still / speed}`;
  });
  // ffmpeg heeds the last duration only if a file follows.
  return [...shown, `file '${names.at(-1)}'`];
}
