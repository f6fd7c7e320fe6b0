import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/**
 * A server without an engine that accepts claims and handles all other requests with the listener;
 * records the addresses and bodies of requests.
 */
export async function openScriptedServer(
  listener: (sql: string, response: ServerResponse, request: IncomingMessage) => void,
  version = '99.1',
) {
  const seen: { readonly address: URL; readonly sql: string }[] = [];
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url === '/ping') return void response.end('Ok.\n');
    const sql = (await buffer(request)).toString('latin1');
    const address = new URL(request.url ?? '/', 'http://x');
    if (address.searchParams.get('query_id')?.startsWith('millrace-') === true)
      return void response.end(sql.includes('version()') ? `${version}\n` : sql.includes('count()') ? '0\n' : '');
    seen.push({ address, sql });
    listener(sql, response, request);
  }
  const http = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const stop = () => {
    http.closeAllConnections();
    http.close();
  };
  return { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`, seen, stop };
}
