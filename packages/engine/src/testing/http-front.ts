import { once } from 'node:events';
import { createServer, type IncomingMessage, request as httpRequest, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type ClickHouse, type ClickHouseOptions, openClickHouse } from './clickhouse.js';

/**
 * A proxy in front of a real ClickHouse server. It records requests, and can fail like a network.
 */
export interface HttpFront {
  readonly url: string;
  /** The server itself, for checks without the front. */
  readonly server: ClickHouse;
  /** The requests so far. */
  readonly requests: readonly FrontRequest[];
  /**
   * Called with each statement before it reaches the server, and after its response. Awaiting
   * delays the statement or the response; `cut` ends the connection.
   */
  watch: (moment: 'before' | 'after', sql: string, cut: () => void) => Promise<void> | void;
  /** Ends all connections and accepts no more; running statements continue. */
  stop(): Promise<void>;
  /** Accepts connections again, under the same address. */
  start(): Promise<void>;
  end(): Promise<void>;
}

interface FrontRequest {
  readonly address: URL;
  readonly headers: IncomingMessage['headers'];
  readonly sql: string;
}

const endOfInsert = ' FORMAT Native\n';

/** @throws CannotServe */
export async function openHttpFront(options: ClickHouseOptions = {}): Promise<HttpFront> {
  const server = await openClickHouse(options);
  const requests: FrontRequest[] = [];

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const address = new URL(request.url ?? '/', 'http://front');
    const sql = sqlOf(body);
    const cut = (): void => void request.socket.destroy();
    const watch = async (moment: 'before' | 'after'): Promise<void> =>
      address.pathname === '/ping' ? undefined : front.watch(moment, sql, cut);
    if (address.pathname !== '/ping') requests.push({ address, headers: request.headers, sql });
    await watch('before');
    const { method, url: path, headers } = request;
    const onward = httpRequest({ host: '127.0.0.1', port: server.port, path, method, headers, agent: false });
    onward.end(body);
    // A client that closes the connection cancels a query at the server. A change runs to its end.
    const isQuery = address.searchParams.has('readonly');
    if (isQuery) response.once('close', () => onward.destroy());
    const [answered] = (await once(onward, 'response')) as [IncomingMessage];
    const { connection: _, 'keep-alive': __, ...others } = answered.headers;
    if (!isQuery) {
      const whole = await buffer(answered);
      await watch('after');
      response.writeHead(answered.statusCode!, others).end(whole);
      return;
    }
    response.writeHead(answered.statusCode!, others).flushHeaders();
    for await (const chunk of answered) if (!response.write(chunk)) await once(response, 'drain');
    await watch('after');
    response.end();
  }

  // Failures between proxy and server fail for the client, too.
  const proxy = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));
  const listen = async (port: number): Promise<void> => void (await once(proxy.listen(port, '127.0.0.1'), 'listening'));
  await listen(0);
  const { port } = proxy.address() as AddressInfo;
  const front: HttpFront = {
    url: `http://127.0.0.1:${port}`,
    server,
    requests,
    watch: () => undefined,
    stop: async () => {
      const closed = once(proxy, 'close');
      proxy.close();
      proxy.closeAllConnections();
      await closed;
    },
    start: () => listen(port),
    end: async () => {
      proxy.close();
      proxy.closeAllConnections();
      await server.end();
    },
  };
  return front;
}

/** The statement at the beginning of a body; the data of an insert follow it. */
function sqlOf(body: Buffer): string {
  const isInsert = body.subarray(0, 'INSERT INTO'.length).toString('latin1') === 'INSERT INTO';
  const at = isInsert ? body.indexOf(endOfInsert) : -1;
  return (at < 0 ? body : body.subarray(0, at)).toString('utf8');
}
