import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/**
 * A bucket in memory with the part of S3 that the engine uses for objects of some megabytes. It
 * accepts every signature.
 */
export interface Bucket {
  readonly url: string;
  /** Names of the objects. */
  keys(): readonly string[];
  /** Ends all connections and accepts no more; the objects stay. */
  stop(): Promise<void>;
  /** Accepts connections again, at the same address. */
  start(): Promise<void>;
  end(): Promise<void>;
}

export async function openBucket(): Promise<Bucket> {
  const objects = new Map<string, Buffer>();

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://bucket');
    const key = decodeURIComponent(pathname.slice(1));
    const body = await buffer(request);
    switch (request.method) {
      case 'PUT':
        objects.set(key, plain(body, request));
        return void response.writeHead(200, { etag: '"1"' }).end();
      case 'POST':
        // The only supported operation: the deletion of several objects.
        if (!searchParams.has('delete')) return void response.writeHead(501).end();
        for (const [, name = ''] of body.toString().matchAll(/<Key>([^<]*)<\/Key>/g))
          objects.delete(`${pathname.split('/')[1]}/${name}`);
        return void response.writeHead(200, { 'content-type': 'application/xml' }).end('<DeleteResult/>');
      case 'DELETE':
        objects.delete(key);
        return void response.writeHead(204).end();
      default:
        return give(request, response, objects.get(key));
    }
  }

  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));
  const listen = async (port: number): Promise<void> =>
    void (await once(server.listen(port, '127.0.0.1'), 'listening'));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const stop = async (): Promise<void> => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return {
    url: `http://127.0.0.1:${port}/bucket/events`,
    keys: () => [...objects.keys()],
    stop,
    start: () => listen(port),
    end: stop,
  };
}

function give({ method, headers }: IncomingMessage, response: ServerResponse, object: Buffer | undefined): void {
  if (object === undefined) {
    const missing = '<Error><Code>NoSuchKey</Code><Message>no such key</Message></Error>';
    return void response.writeHead(404, { 'content-type': 'application/xml' }).end(method === 'HEAD' ? '' : missing);
  }
  const [, from = '0', to = String(object.length - 1)] = /^bytes=(\d+)-(\d+)?/.exec(headers.range ?? '') ?? [];
  const last = Math.min(Number(to), object.length - 1);
  const piece = object.subarray(Number(from), last + 1);
  const range = { 'content-range': `bytes ${from}-${last}/${object.length}` };
  response
    .writeHead(headers.range === undefined ? 200 : 206, {
      etag: '"1"',
      'last-modified': new Date(0).toUTCString(),
      'content-length': piece.length,
      ...(headers.range !== undefined && range),
    })
    .end(method === 'HEAD' ? undefined : piece);
}

/** The body of a request in signed chunks, `size;chunk-signature=…`, without them. */
function plain(body: Buffer, { headers }: IncomingMessage): Buffer {
  if (!String(headers['x-amz-content-sha256']).startsWith('STREAMING-')) return body;
  const pieces: Buffer[] = [];
  for (let at = 0; at < body.length;) {
    const end = body.indexOf('\r\n', at);
    const size = Number.parseInt(body.toString('latin1', at, end), 16);
    if (!(size > 0)) break;
    pieces.push(body.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
  return Buffer.concat(pieces);
}
