import { createServer } from 'node:http';

/** Counts what next nodes ran for: an event's id in the path of each call. */
export interface Counter {
  url: string;
  counts: Map<string, number>;
  close(): Promise<void>;
}

/** Listens on a free port of the loopback address. */
export async function startCounter(): Promise<Counter> {
  const counts = new Map<string, number>();
  const server = createServer((request, response) => {
    const id = decodeURIComponent((request.url ?? '').slice(1));
    counts.set(id, (counts.get(id) ?? 0) + 1);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    counts,
    close: async () => await new Promise((resolve) => server.close(() => resolve())),
  };
}
