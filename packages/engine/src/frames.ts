import type { Socket } from 'node:net';

/**
 * The wire between the engine's process and its parent: frames over one socket, both ways.
 *
 * | bytes | meaning                                                         |
 * |-------|-----------------------------------------------------------------|
 * | 0–3   | length of the payload, unsigned 32-bit little-endian            |
 * | 4     | kind: 0 a message (JSON), 1 a chunk of a result (raw bytes)     |
 * | 5–8   | number of the call it belongs to, unsigned 32-bit little-endian |
 * | 9–    | payload                                                         |
 *
 * Results are never JSON inside JSON: they travel as raw chunks, short enough for frames of other
 * calls to get in between.
 */
const headerBytes = 9;
const message = 0;
const piece = 1;
const maxPieceBytes = 512 * 1024;
/** Results up to this size are copied after their message, into one write. */
const maxShortBytes = 16 * 1024;

interface FrameListener<Incoming> {
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
  #drainPromise: Promise<void> | undefined;

  constructor(socket: Socket, listener: FrameListener<Incoming>) {
    this.#socket = socket;
    this.#listener = listener;
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
  }

  send(call: number, outgoing: Outgoing): void {
    this.#write(messageFrame(call, outgoing));
  }

  /**
   * Sends a message and the bytes that belong to it; a short pair is one write, for which the other
   * side wakes once. Resolves when both are handed to the system, so that a slow reader does not
   * fill memory.
   */
  async sendWith(call: number, outgoing: Outgoing, bytes: Uint8Array): Promise<void> {
    const head = messageFrame(call, outgoing);
    if (bytes.length > 0 && bytes.length <= maxShortBytes) {
      if (!this.#write(Buffer.concat([head, headerOf(piece, call, bytes.length), bytes]))) await this.#waitForDrain();
      return;
    }
    this.#write(head);
    for (let start = 0; start < bytes.length && !this.#socket.destroyed; start += maxPieceBytes) {
      const payload = bytes.subarray(start, start + maxPieceBytes);
      if (!this.#write(headerOf(piece, call, payload.length), payload)) await this.#waitForDrain();
    }
  }

  /** @returns whether the socket accepts more without waiting */
  #write(frame: Uint8Array, payload?: Uint8Array): boolean {
    const socket = this.#socket;
    if (socket.destroyed || !socket.writable) return true;
    if (payload === undefined) return socket.write(frame);
    socket.cork();
    socket.write(frame);
    const more = socket.write(payload);
    socket.uncork();
    return more;
  }

  /**
   * All waiting writers share one pair of listeners: with many sessions, a pair each would make
   * Node warn of a leak.
   */
  #waitForDrain(): Promise<void> {
    return (this.#drainPromise ??= new Promise((resolve) => {
      const finish = () => {
        this.#socket.off('drain', finish);
        this.#socket.off('close', finish);
        this.#drainPromise = undefined;
        resolve();
      };
      this.#socket.on('drain', finish);
      this.#socket.on('close', finish);
    }));
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
        // A frame that lies entirely in this chunk needs no copy.
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

function headerOf(kind: number, call: number, bytes: number, frame = Buffer.allocUnsafe(headerBytes)): Buffer {
  frame.writeUInt32LE(bytes, 0);
  frame.writeUInt8(kind, 4);
  frame.writeUInt32LE(call, 5);
  return frame;
}

function messageFrame(call: number, outgoing: unknown): Buffer {
  const text = JSON.stringify(outgoing);
  const bytes = Buffer.byteLength(text);
  const frame = headerOf(message, call, bytes, Buffer.allocUnsafe(headerBytes + bytes));
  frame.write(text, headerBytes);
  return frame;
}
