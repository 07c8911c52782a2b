import { createServer } from 'node:http';

/** Notes what next nodes ran for: an event's ID in the path of each call. */
export interface Counter {
  url: string;
  /** The times at which they ran, by event. */
  runs: Map<string, string[]>;
  close(): Promise<void>;
}

/** Listens on a free port of the loopback address. */
export async function startCounter(): Promise<Counter> {
  const runs = new Map<string, string[]>();
  const server = createServer((request, response) => {
    const id = decodeURIComponent((request.url ?? '').slice(1));
    runs.set(id, [...(runs.get(id) ?? []), new Date().toISOString()]);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    runs,
    close: async () => await new Promise((resolve) => server.close(() => resolve())),
  };
}
