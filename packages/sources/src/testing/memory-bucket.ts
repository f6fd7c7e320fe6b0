import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An S3-compatible server in this process, with one bucket; it lists two objects a page. */
export class MemoryBucket {
  readonly objects = new Map<string, Buffer>();
  /** Objects that were read, in order. */
  readonly reads: string[] = [];
  /** Authorization headers of the requests. */
  readonly signatures: string[] = [];
  /** Object whose connection breaks off in its middle, once. */
  brokenKey: string | undefined;
  readonly #server = createServer((request, response) => this.#answer(request, response));

  async open(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    this.signatures.push(request.headers.authorization ?? '');
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://bucket');
    const key = decodeURIComponent(pathname.split('/').slice(2).join('/'));
    if (key === '') return void response.end(this.#list(searchParams));
    const body = this.objects.get(key);
    if (body === undefined) return void response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>');
    this.reads.push(key);
    if (request.headers['if-match'] !== etagOf(body)) return void response.writeHead(412).end();
    const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '');
    if (range !== null) return void response.writeHead(206).end(body.subarray(Number(range[1]), Number(range[2]) + 1));
    response.writeHead(200, { 'content-length': body.length });
    if (this.brokenKey !== key) return void response.end(body);
    this.brokenKey = undefined;
    response.write(body.subarray(0, body.length >> 1), () => setTimeout(() => response.destroy(), 20));
  }

  #list(query: URLSearchParams): string {
    const prefix = query.get('prefix') ?? '';
    const after = query.get('continuation-token') ?? query.get('start-after') ?? '';
    const all = [...this.objects].filter(([key]) => key.startsWith(prefix) && key > after).sort();
    const page = all.slice(0, 2);
    const isCut = all.length > page.length;
    const contents = page.map(
      ([key, body]) =>
        `<Contents><Key>${encodeURIComponent(key)}</Key><LastModified>2026-01-01T00:00:00Z</LastModified><ETag>${etagOf(body).replaceAll('"', '&quot;')}</ETag><Size>${body.length}</Size></Contents>`,
    );
    return `<?xml version="1.0"?><ListBucketResult><IsTruncated>${isCut}</IsTruncated>${contents.join('')}${isCut ? `<NextContinuationToken>${page.at(-1)![0]}</NextContinuationToken>` : ''}</ListBucketResult>`;
  }
}

const etagOf = (body: Buffer): string => `"${body.length}-${body.subarray(0, 20).toString('hex')}"`;
