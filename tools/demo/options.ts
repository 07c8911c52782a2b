import { parseArgs } from 'node:util';
import { Halt } from '../n8n/processes/halt';

/** Where editor and sandbox listen. A port of 0 is any free one. */
export interface StagePorts {
  editorPort: number;
  sandboxPort: number;
}

/** What a person can say to `npm run demo`. */
export interface DemoOptions extends StagePorts {
  once: boolean;
  help: boolean;
}

/** What `--help` prints. */
export const USAGE = `Usage: npm run demo -- [--once] [--port N] [--sandbox-port N]

  --once            stop after the table; exit code 0 only if every file made it
  --port N          https port of the n8n editor (default 8443; with --once a free one)
  --sandbox-port N  port of the sandbox (default 4010; with --once a free one)`;

/** Reads the command line. Throws a `Halt` for an option that does not exist or a port that is none. */
export function readOptions(args: string[]): DemoOptions {
  const { values } = parsed(args);
  const once = values.once ?? false;
  return {
    once,
    help: values.help ?? false,
    editorPort: port('--port', values.port, once ? 0 : 8443),
    sandboxPort: port('--sandbox-port', values['sandbox-port'], once ? 0 : 4010),
  };
}

function parsed(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        once: { type: 'boolean' },
        help: { type: 'boolean' },
        port: { type: 'string' },
        'sandbox-port': { type: 'string' },
      },
    });
  } catch (error) {
    if (error instanceof TypeError) throw new Halt(`${error.message}\n\n${USAGE}`);
    throw error;
  }
}

function port(option: string, text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback;
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > 65_535)
    throw new Halt(`${option} takes a port number from 0 to 65535, not "${text}".`);
  return value;
}
