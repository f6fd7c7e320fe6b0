import { connect, type Socket } from 'node:net';

/** A minimal HTTP client: the load generator shares its cores with the systems it measures. */

export interface Response {
  readonly status: number;
  readonly body: Buffer;
}

interface PendingResponse {
  readonly resolve: (response: Response) => void;
  readonly reject: (error: Error) => void;
}

const endOfHead = Buffer.from('\r\n\r\n');

/** Keep-alive connection for one request at a time. Reconnects if the server has closed it. */
export class Connection {
  readonly #host: string;
  readonly #port: number;
  #socket: Socket | undefined;
  #pendingResponse: PendingResponse | undefined;
  #receivedChunks: Buffer[] = [];
  #bytes = 0;
  /** Bytes of the complete response; undefined until its head has arrived. */
  #expectedBytes: number | 'chunked' | undefined;

  constructor(host: string, port: number) {
    this.#host = host;
    this.#port = port;
  }

  /** The bytes of a request, which can be sent any number of times. */
  prepare(
    method: string,
    path: string,
    { headers = {}, body }: { readonly headers?: Readonly<Record<string, string>>; readonly body?: Uint8Array } = {},
  ): readonly Uint8Array[] {
    const length = body === undefined ? [] : [`content-length: ${body.length}`];
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    const head = [`${method} ${path} HTTP/1.1`, `host: ${this.#host}:${this.#port}`, ...lines, ...length, '', ''].join(
      '\r\n',
    );
    return body === undefined ? [Buffer.from(head)] : [Buffer.from(head), body];
  }

  request(pieces: readonly Uint8Array[]): Promise<Response> {
    return new Promise((resolve, reject) => {
      this.#pendingResponse = { resolve, reject };
      const socket = (this.#socket ??= this.#open());
      socket.ref();
      socket.cork();
      for (const piece of pieces) socket.write(piece);
      socket.uncork();
    });
  }

  close(): void {
    this.#socket?.destroy();
  }

  #open(): Socket {
    const socket = connect({ host: this.#host, port: this.#port, noDelay: true });
    const end = (error: Error): void => {
      if (this.#socket !== socket) return;
      this.#socket = undefined;
      this.#pendingResponse?.reject(error);
      this.#pendingResponse = undefined;
    };
    socket.on('data', (chunk) => this.#take(chunk));
    socket.on('error', end);
    socket.on('close', () => end(new Error('the server closed the connection')));
    return socket;
  }

  #take(chunk: Buffer): void {
    // Not a response to a request: the server explains why it closes an idle connection.
    if (this.#pendingResponse === undefined) return this.close();
    this.#receivedChunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#expectedBytes === undefined) {
      this.#expectedBytes = expectedBytes(this.#all());
      if (this.#expectedBytes === undefined) return;
    }
    const expected = this.#expectedBytes;
    const done = expected === 'chunked' ? this.#all().subarray(-5).equals(lastChunk) : this.#bytes >= expected;
    if (!done) return;
    const all = this.#all();
    const head = all.indexOf(endOfHead) + endOfHead.length;
    const body = all.subarray(head);
    const { resolve } = this.#pendingResponse;
    this.#pendingResponse = undefined;
    this.#receivedChunks = [];
    this.#bytes = 0;
    this.#expectedBytes = undefined;
    this.#socket?.unref();
    resolve({
      status: Number(all.toString('latin1', 9, 12)),
      body: expected === 'chunked' ? decodeChunked(body) : body,
    });
  }

  #all(): Buffer {
    if (this.#receivedChunks.length > 1) this.#receivedChunks = [Buffer.concat(this.#receivedChunks)];
    return this.#receivedChunks[0] ?? Buffer.alloc(0);
  }
}

const lastChunk = Buffer.from('0\r\n\r\n');

function expectedBytes(received: Buffer): number | 'chunked' | undefined {
  const end = received.indexOf(endOfHead);
  if (end < 0) return undefined;
  const head = received.toString('latin1', 0, end);
  const length = /\r\ncontent-length: (\d+)/i.exec(head);
  if (length !== null) return end + endOfHead.length + Number(length[1]);
  return /\r\ntransfer-encoding: chunked/i.test(head) ? 'chunked' : end + endOfHead.length;
}

function decodeChunked(body: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < body.length;) {
    const line = body.indexOf('\r\n', at);
    const length = Number.parseInt(body.toString('latin1', at, line), 16);
    if (!(length > 0)) break;
    parts.push(body.subarray(line + 2, line + 2 + length));
    at = line + 2 + length + 2;
  }
  return Buffer.concat(parts);
}
