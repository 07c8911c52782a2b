import { isNoSuchProcess, start, stopAll, waitFor } from '../../../tools/n8n/processes/process';

const node = (script: string) => start(process.execPath, ['-e', script]);
const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    if (isNoSuchProcess(error)) return false;
    throw error;
  }
};

afterEach(stopAll);

describe('start', () => {
  test('stops a process that does not listen to SIGTERM, and its children', async () => {
    const running = node(`
      process.on('SIGTERM', () => {});
      const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
      console.log(child.pid);
      setInterval(() => {}, 1000);`);
    const child = await waitFor('the child', async () => Number(running.tail(1)) || undefined, {
      seconds: 10,
    });
    expect(isAlive(child)).toBe(true);
    await running.stop(0.2);
    expect(running.ended()).toBe('it was ended by SIGKILL');
    await waitFor('the child to be gone', async () => !isAlive(child) || undefined, { seconds: 5 });
  });
});

describe('what was started does not outlive its program', () => {
  const program = `
    const { start } = require('./tools/n8n/processes/process');
    const child = start(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    console.log(child.pid);`;

  test.each([
    ['that ends by itself', 'setTimeout(() => process.exit(0), 100);', undefined],
    ['that breaks', 'setTimeout(() => { throw new Error("broken"); }, 100);', undefined],
    ['that gets Ctrl-C', '', 'SIGINT'],
    ['that is killed', '', 'SIGKILL'],
  ] as const)('one %s', async (_, end, signal) => {
    const parent = start(process.execPath, ['--import', 'tsx', '-e', program + end]);
    const child = await waitFor(
      'the child',
      async () => Number(parent.output().split('\n')[0]) || undefined,
      {
        seconds: 20,
        everyMs: 10,
        evidence: () => parent.tail(),
      },
    );
    expect(isAlive(child)).toBe(true);
    if (signal) process.kill(parent.pid, signal);
    await parent.end;
    await waitFor('the child to be gone', async () => !isAlive(child) || undefined, { seconds: 5 });
  });

  test('while a program with nothing left to do ends', async () => {
    const idle = `
      const { run } = require('./tools/n8n/processes/process');
      run(process.execPath, ['-e', ''], { what: 'It', resolution: '' }).then(() => console.log('done'));`;
    const parent = start(process.execPath, ['--import', 'tsx', '-e', idle]);
    await waitFor('the program to end', async () => parent.ended(), { seconds: 20 });
    expect(parent.output()).toBe('done');
    expect(parent.ended()).toBe('it ended with exit code 0');
  });
});
