import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy as operators have it: it serves a server below a path, which it removes. */
export interface PathProxy {
  /** Address of the server as browsers see it. */
  readonly url: string;
  close(): Promise<void>;
}

/** @param port of the server */
export async function openPathProxy(path: string, port: number): Promise<PathProxy> {
  const server = createServer((incoming, outgoing) => {
    const url = incoming.url ?? '';
    if (!url.startsWith(`${path}/`)) return void outgoing.writeHead(404).end('another program');
    const { method, headers } = incoming;
    const passed = request({ host: '127.0.0.1', port, method, headers, path: url.slice(path.length) }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    outgoing.on('close', () => passed.destroy());
    incoming.pipe(passed);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
