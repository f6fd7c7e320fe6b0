import { Readable } from 'node:stream';

/** Bytes before a message: a flag and the length. */
const prefixBytes = 5;

interface Prefix {
  readonly compressed: boolean;
  readonly length: number;
}

/** Returns a message with its prefix. */
export function frameMessage(content: Uint8Array): Buffer {
  const frame = Buffer.alloc(prefixBytes + content.byteLength);
  frame.writeUInt32BE(content.byteLength, 1);
  frame.set(content, prefixBytes);
  return frame;
}

/**
 * Reads the single message of a unary call. After the prefix, reads only as fast as `body` is
 * read.
 */
export class Message {
  /** The content as sent, without the prefix. */
  readonly body: Readable;
  readonly #stream: Readable;
  readonly #fail: (problem: string) => void;
  #head = Buffer.alloc(0);
  #prefix: Prefix | undefined;
  #prefixRead: (prefix: Prefix) => void = () => undefined;
  #receivedBytes = 0;
  #over = false;

  /** @param fail called once with the problem if there is not exactly one complete message */
  constructor(stream: Readable, fail: (problem: string) => void) {
    this.#stream = stream;
    this.#fail = fail;
    this.body = new Readable({ read: () => void stream.resume() });
    stream.on('end', () => this.#end());
  }

  /** Reads the prefix; does not resolve if the message is malformed. */
  prefix(): Promise<Prefix> {
    return new Promise((resolve) => {
      this.#prefixRead = resolve;
      this.#stream.on('data', (chunk: Buffer) => this.#take(chunk));
    });
  }

  /** Ends the body: the rest of the message is not needed. */
  discard(): void {
    if (this.#over) return;
    this.#over = true;
    this.body.push(null);
  }

  #take(chunk: Buffer): void {
    if (this.#over) return;
    if (this.#prefix !== undefined) return this.#pass(chunk);
    this.#head = Buffer.concat([this.#head, chunk]);
    if (this.#head.length < prefixBytes) return;
    const [flag] = this.#head;
    if (flag! > 1) return this.#failBody(`byte 0 of its prefix is ${flag}, which is not 0 or 1`);
    this.#prefix = { compressed: flag === 1, length: this.#head.readUInt32BE(1) };
    this.#stream.pause();
    this.#prefixRead(this.#prefix);
    this.#pass(this.#head.subarray(prefixBytes));
  }

  #pass(chunk: Buffer): void {
    if (chunk.length === 0) return;
    this.#receivedBytes += chunk.length;
    if (this.#receivedBytes > this.#prefix!.length)
      return this.#failBody(`more bytes follow than the ${this.#prefix!.length} that its prefix announces`);
    if (!this.body.push(chunk)) this.#stream.pause();
  }

  #end(): void {
    if (this.#over) return;
    if (this.#prefix === undefined) return this.#failBody(`it ends after ${this.#head.length} bytes of its prefix`);
    const { length } = this.#prefix;
    if (this.#receivedBytes < length) return this.#failBody(`it ends after ${this.#receivedBytes} of ${length} bytes`);
    this.discard();
  }

  /** The body does not end: a truncated message must not look complete. */
  #failBody(problem: string): void {
    this.#over = true;
    this.#fail(`malformed gRPC message: ${problem}`);
  }
}
