import { createServer } from 'node:net';
import {
  freePort,
  isNoSuchProcess,
  run,
  start,
  stopAll,
  waitFor,
} from '../../../tools/n8n/processes/process';

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

describe('freePort', () => {
  test('names the purpose of a taken port and the way out', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => holder.once('listening', resolve));
    const address = holder.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    await expect(freePort({ port, purpose: 'the editor', resolution: 'Take another.' })).rejects.toThrow(
      `Port ${port} for the editor is taken. Take another.`,
    );
    await new Promise((resolve) => holder.close(resolve));
    await expect(freePort({ port, purpose: 'the editor', resolution: '' })).resolves.toBe(port);
  });
});

describe('waitFor', () => {
  test('gives what it finds', async () => {
    let looks = 0;
    const look = async () => (++looks === 3 ? 'found' : undefined);
    await expect(waitFor('it', look, { seconds: 5, everyMs: 1 })).resolves.toBe('found');
  });

  test('says what it waited for, how long, and shows the evidence', async () => {
    const patience = { seconds: 0.05, everyMs: 10, evidence: () => 'last line of the log' };
    await expect(waitFor('n8n to answer', async () => undefined, patience)).rejects.toThrow(
      'Waited 0.05 seconds for n8n to answer, in vain.\nlast line of the log',
    );
  });

  test('ends early when there is no hope', async () => {
    const patience = { seconds: 60, hopeless: () => 'it ended with exit code 1' };
    await expect(waitFor('n8n', async () => undefined, patience)).rejects.toThrow(
      'Waiting for n8n is in vain: it ended with exit code 1.',
    );
  });
});

describe('start', () => {
  test('keeps the output and tells how the process ended', async () => {
    const running = node('console.log("one"); console.error("two"); process.exitCode = 3');
    await running.end;
    expect(running.ended()).toBe('it ended with exit code 3');
    expect(running.output().split('\n').sort()).toEqual(['one', 'two']);
    expect(running.tail(1)).toHaveLength(3);
  });

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

  test('stops everything at once', async () => {
    const both = [node('setInterval(() => {}, 1000)'), node('setInterval(() => {}, 1000)')];
    await stopAll();
    expect(both.map((running) => running.ended())).toEqual([
      'it was ended by SIGTERM',
      'it was ended by SIGTERM',
    ]);
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

describe('run', () => {
  test('shows the end of the output of a command that stops, and the way out', async () => {
    const command = run(process.execPath, ['-e', 'console.log("no space left"); process.exitCode = 1'], {
      what: 'Installing n8n',
      resolution: 'Free some space.',
    });
    await expect(command).rejects.toThrow(
      /^Installing n8n did not work \(".+": it ended with exit code 1\)\. Free some space\.\nno space left$/,
    );
  });

  test('tells of a command that does not exist', async () => {
    await expect(run('no-such-command', [], { what: 'It', resolution: 'Install it.' })).rejects.toThrow(
      /^It did not work .*no-such-command could not be started .* Install it\.$/,
    );
  });
});
