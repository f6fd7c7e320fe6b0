import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A scripted API server with fault injection. */

export interface ReceivedRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
}

/**
 * `hang-up` closes the connection without a response; `break-off` after the part that `breakOff`
 * gives.
 */
export type Reply =
  | 'hang-up'
  | 'break-off'
  | { readonly breakOff: string }
  | { readonly status?: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: unknown };

export interface ScriptedServer {
  readonly url: string;
  readonly received: readonly ReceivedRequest[];
  close(): Promise<void>;
}

/** @param answer reply to the nth request, from 0 */
export async function scriptedServer(
  answer: (request: ReceivedRequest, n: number) => Reply | Promise<Reply>,
): Promise<ScriptedServer> {
  const received: ReceivedRequest[] = [];
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const one: ReceivedRequest = {
      method: request.method ?? '',
      url: new URL(request.url ?? '', 'http://server'),
      headers: request.headers as ReceivedRequest['headers'],
      body: Buffer.concat(chunks),
    };
    received.push(one);
    const reply = await answer(one, received.length - 1);
    if (reply === 'hang-up') request.socket.destroy();
    else if (reply === 'break-off' || 'breakOff' in reply) {
      const begun = reply === 'break-off' ? '{"half":' : reply.breakOff;
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': String(begun.length + 100) });
      // Ended, not reset, so that the written part arrives.
      response.write(begun, () => request.socket.end());
    } else {
      response.writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...reply.headers });
      const { body = {} } = reply;
      response.end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body));
    }
  };
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
