import { once } from 'node:events';
import { get } from 'node:http';
import { createServer } from 'node:net';

/** Longest wait for the program at an address to respond. */
const timeoutMilliseconds = 5000;

/** Why a server cannot listen on an address: an error of the system, or undefined if it can. */
export async function listenProblem(host: string, port: number): Promise<unknown> {
  const server = createServer((socket) => socket.destroy());
  try {
    server.listen(port, host);
    await once(server, 'listening');
    return undefined;
  } catch (error) {
    return error;
  } finally {
    server.close();
  }
}

/** Whether the program at an address responds as Millrace does. */
export function isServedAt(host: string, port: number): Promise<boolean> {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  const url = `http://${name.includes(':') ? `[${name}]` : name}:${port}/healthz`;
  return new Promise((resolve) => {
    const request = get(url, { agent: false, timeout: timeoutMilliseconds }, (response) => {
      response.resume();
      resolve('x-axiom-trace-id' in response.headers);
    });
    request.once('timeout', () => request.destroy());
    request.once('error', () => undefined);
    request.once('close', () => resolve(false));
  });
}
