import { connect } from 'node:net';

const PATIENCE_MS = 5000;

/** What a server sends back over a plain socket until it closes. @throws Error when it does not within 5 seconds. */
export const exchange = (url: string, bytes: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname, () => socket.write(bytes, 'latin1'));
    let answer = '';
    const timer = setTimeout(() => {
      socket.destroy();
      reject(
        new Error(
          `The server kept the connection for ${PATIENCE_MS} ms after ${JSON.stringify(bytes.slice(0, 80))}`,
        ),
      );
    }, PATIENCE_MS);
    socket.setEncoding('utf8');
    socket.on('data', (chunk) => (answer += String(chunk)));
    socket.on('error', reject);
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(answer);
    });
  });
