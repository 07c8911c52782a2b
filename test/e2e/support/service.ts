import { createServer } from 'node:http';
import { freePort } from '../../../tools/n8n/processes/process';
import type { Undo } from '../../../tools/n8n/stage';

/** Gives the same answer to whatever is asked, at the address that it gives: what a person may take for the agency. */
export async function startService(
  undo: Undo,
  { status, type, body }: { status: number; type: string; body: string },
): Promise<string> {
  const port = await freePort();
  const server = createServer((_request, response) => {
    response.writeHead(status, { 'content-type': type }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  undo.push(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return `http://127.0.0.1:${port}`;
}
