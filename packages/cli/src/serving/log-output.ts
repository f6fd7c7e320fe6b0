import { write } from 'node:fs';
import { writeNow } from './write-now.js';

/** Characters that wait at most; as many more may be on their way. */
const mostWaiting = 1 << 20;
const firstPause = 10;
const longestPause = 1000;

/**
 * Where the lines of the server's log go. They may be lost, when the disk is full or the reader of
 * a pipe stopped or gone, but nothing waits for them and nothing ends because of them. The oldest
 * are kept until they can be written, because they tell how it began.
 */
export class LogOutput {
  readonly #descriptor: number;
  readonly #missed: (lines: number) => void;
  #waiting: string[] = [];
  #waitingLength = 0;
  /** What is left of the lines that are being written. */
  #rest: Uint8Array = Buffer.alloc(0);
  #state: 'idle' | 'writing' | 'pausing' | 'ended' = 'idle';
  #pause = firstPause;
  #lost = 0;
  #reported = 0;

  /**
   * @param descriptor a pipe has to be non-blocking, as `process.stderr` makes the one it is
   * @param missed is told how many lines were lost, once lines can be written again
   */
  constructor(descriptor: number, missed: (lines: number) => void) {
    this.#descriptor = descriptor;
    this.#missed = missed;
  }

  /** How many lines were lost. */
  get lost(): number {
    return this.#lost;
  }

  write(line: string): void {
    if (this.#waitingLength > 0 && this.#waitingLength + line.length > mostWaiting) {
      this.#lost++;
      return;
    }
    this.#waiting.push(line);
    this.#waitingLength += line.length;
    if (this.#state === 'idle') this.#next();
  }

  /**
   * Writes what still waits, for a process that ends: it waits a second at most. After that nothing
   * is written any more, as the descriptor may be another's.
   */
  writeLast(): void {
    const rest = this.#state === 'writing' ? [] : [this.#rest];
    this.#state = 'ended';
    writeNow(this.#descriptor, Buffer.concat([...rest, this.#take()]));
  }

  #take(): Buffer {
    const lines = Buffer.from(this.#waiting.join(''));
    this.#waiting = [];
    this.#waitingLength = 0;
    return lines;
  }

  #next(): void {
    if (this.#state === 'ended') return;
    if (this.#rest.length === 0) this.#rest = this.#take();
    if (this.#rest.length === 0) {
      this.#state = 'idle';
      return;
    }
    this.#state = 'writing';
    write(this.#descriptor, this.#rest, (error, written) => {
      if (error !== null) {
        this.#later();
        return;
      }
      this.#pause = firstPause;
      this.#rest = this.#rest.subarray(written);
      if (this.#rest.length === 0) this.#reportLost();
      this.#next();
    });
  }

  /** Whatever it was may pass: space returns to a disk, and a named pipe gets another reader. */
  #later(): void {
    if (this.#state === 'ended') return;
    this.#state = 'pausing';
    setTimeout(() => this.#next(), this.#pause).unref();
    this.#pause = Math.min(2 * this.#pause, longestPause);
  }

  #reportLost(): void {
    const lines = this.#lost - this.#reported;
    if (lines === 0) return;
    this.#reported = this.#lost;
    this.#missed(lines);
  }
}
