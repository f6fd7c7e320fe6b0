import type { Socket } from 'node:net';

/**
 * The wire between the engine's process and its parent: frames over one socket, both ways.
 *
 * | bytes | meaning                                                        |
 * |-------|----------------------------------------------------------------|
 * | 0–3   | length of the payload, unsigned 32-bit little-endian            |
 * | 4     | kind: 0 a message (JSON), 1 a piece of a result (raw bytes)      |
 * | 5–8   | number of the call it belongs to, unsigned 32-bit little-endian |
 * | 9–    | payload                                                        |
 *
 * Results are never JSON inside JSON: they travel as raw pieces, short enough that other calls get a word in between.
 */
const headerBytes = 9;
const message = 0;
const piece = 1;
const maxPieceBytes = 512 * 1024;
const maxScrapBytes = 16 * 1024;

export interface FrameListener<Incoming> {
  message(call: number, message: Incoming): void;
  /** The bytes are valid during the call only. */
  piece(call: number, bytes: Buffer): void;
}

export class FrameSocket<Outgoing, Incoming> {
  readonly #socket: Socket;
  readonly #listener: FrameListener<Incoming>;
  #header = Buffer.alloc(headerBytes);
  #headerFilled = 0;
  #payload = Buffer.alloc(0);
  #payloadFilled = 0;

  constructor(socket: Socket, listener: FrameListener<Incoming>) {
    this.#socket = socket;
    this.#listener = listener;
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
  }

  send(call: number, outgoing: Outgoing): void {
    const payload = Buffer.from(JSON.stringify(outgoing));
    this.#write(message, call, payload);
  }

  /** A message and the bytes that belong to it: what is short is one write, for which the other side wakes once. */
  async sendWith(call: number, outgoing: Outgoing, chunks: Iterable<Uint8Array>): Promise<void> {
    this.#socket.cork();
    this.send(call, outgoing);
    const sent = this.sendPieces(call, chunks);
    this.#socket.uncork();
    await sent;
  }

  /** Sends bytes in order; resolves when they have been handed to the system, so that a slow reader does not fill memory. */
  async sendPieces(call: number, chunks: Iterable<Uint8Array>): Promise<void> {
    for (const payload of payloadsOf(chunks)) {
      if (!this.#write(piece, call, payload)) await this.#drained();
      if (this.#socket.destroyed) return;
    }
  }

  #write(kind: number, call: number, payload: Uint8Array): boolean {
    if (this.#socket.destroyed || !this.#socket.writable) return true;
    const header = Buffer.allocUnsafe(headerBytes);
    header.writeUInt32LE(payload.length, 0);
    header.writeUInt8(kind, 4);
    header.writeUInt32LE(call, 5);
    this.#socket.cork();
    this.#socket.write(header);
    const more = this.#socket.write(payload);
    this.#socket.uncork();
    return more;
  }

  #drained(): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        this.#socket.off('drain', done);
        this.#socket.off('close', done);
        resolve();
      };
      this.#socket.on('drain', done);
      this.#socket.on('close', done);
    });
  }

  #read(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) {
      if (this.#headerFilled < headerBytes) {
        const taken = chunk.copy(this.#header, this.#headerFilled, at);
        at += taken;
        this.#headerFilled += taken;
        if (this.#headerFilled < headerBytes) return;
        const length = this.#header.readUInt32LE(0);
        // A frame that lies wholly in this chunk needs no copy.
        if (chunk.length - at >= length) {
          this.#deliver(chunk.subarray(at, at + length));
          at += length;
          continue;
        }
        this.#payload = Buffer.allocUnsafe(length);
        this.#payloadFilled = 0;
      }
      const taken = chunk.copy(this.#payload, this.#payloadFilled, at);
      at += taken;
      this.#payloadFilled += taken;
      if (this.#payloadFilled === this.#payload.length) this.#deliver(this.#payload);
    }
  }

  #deliver(payload: Buffer): void {
    this.#headerFilled = 0;
    const call = this.#header.readUInt32LE(5);
    if (this.#header.readUInt8(4) === piece) this.#listener.piece(call, payload);
    else this.#listener.message(call, JSON.parse(payload.toString()) as Incoming);
  }
}

/** Cuts what is long and joins what is short: a result of thousands of columns is thousands of scraps. */
function* payloadsOf(chunks: Iterable<Uint8Array>): Generator<Uint8Array> {
  let scraps: Uint8Array[] = [];
  let scrapBytes = 0;
  for (const chunk of chunks) {
    if (scrapBytes + chunk.length <= maxPieceBytes && chunk.length <= maxScrapBytes) {
      scraps.push(chunk);
      scrapBytes += chunk.length;
      continue;
    }
    if (scraps.length > 0) yield Buffer.concat(scraps, scrapBytes);
    scraps = [];
    scrapBytes = 0;
    for (let start = 0; start < chunk.length; start += maxPieceBytes)
      yield chunk.subarray(start, start + maxPieceBytes);
  }
  if (scraps.length > 0) yield Buffer.concat(scraps, scrapBytes);
}
