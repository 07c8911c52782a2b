// Preloaded into n8n: on SIGUSR2 it clears up its memory and writes down how much is left (`process.memoryUsage`).
import { rename, writeFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';

const { MEMORY_REPORT } = process.env;

process.on('SIGUSR2', async () => {
  for (let time = 0; time < 3; time += 1) {
    globalThis.gc();
    await wait(100);
  }
  await writeFile(`${MEMORY_REPORT}.part`, JSON.stringify(process.memoryUsage()));
  await rename(`${MEMORY_REPORT}.part`, MEMORY_REPORT);
});
