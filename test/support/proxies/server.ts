import { createServer, type RequestListener } from 'node:http';

/**
 * A plain HTTP server on a free loopback port for all tests of a describe block, for answers that the sandbox never gives.
 *
 * @returns how a test gets its address
 */
export function useServer(answer: RequestListener): () => string {
  const server = createServer(answer);
  beforeAll(async () => await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
  afterAll(async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  });
  return () => {
    const at = server.address();
    if (at === null || typeof at === 'string') throw new Error('The server runs only while tests do.');
    return `http://127.0.0.1:${at.port}`;
  };
}
