import { write } from 'node:fs';
import { writeNow } from './write-now.js';

/** Maximum buffered characters; as many again may be in flight. */
const maxWaiting = 1 << 20;
const firstPause = 10;
const longestPause = 1000;

/**
 * Output of the server log. Never blocks or fails: lines are dropped when the disk is full or the
 * reader of a pipe has stalled or exited. The oldest lines are retained until they can be written,
 * since they show how the problem began.
 */
export class LogOutput {
  readonly #descriptor: number;
  readonly #reportMissedLines: (lines: number) => void;
  #queuedLines: string[] = [];
  #waitingLength = 0;
  /** Unwritten rest of the current lines. */
  #rest: Uint8Array = Buffer.alloc(0);
  #state: 'idle' | 'writing' | 'pausing' | 'ended' = 'idle';
  #pause = firstPause;
  #lostCount = 0;
  #reportedCount = 0;

  /**
   * @param descriptor a pipe must be non-blocking, as `process.stderr` makes its own
   * @param missed gets the number of dropped lines when writing resumes
   */
  constructor(descriptor: number, missed: (lines: number) => void) {
    this.#descriptor = descriptor;
    this.#reportMissedLines = missed;
  }

  /** Number of dropped lines. */
  get lost(): number {
    return this.#lostCount;
  }

  write(line: string): void {
    if (this.#waitingLength > 0 && this.#waitingLength + line.length > maxWaiting) {
      this.#lostCount++;
      return;
    }
    this.#queuedLines.push(line);
    this.#waitingLength += line.length;
    if (this.#state === 'idle') this.#next();
  }

  /**
   * Writes the buffered lines of an exiting process, for at most a second. Later writes are
   * ignored: the descriptor may be reused.
   */
  writeLast(): void {
    const rest = this.#state === 'writing' ? [] : [this.#rest];
    this.#state = 'ended';
    writeNow(this.#descriptor, Buffer.concat([...rest, this.#take()]));
  }

  #take(): Buffer {
    const lines = Buffer.from(this.#queuedLines.join(''));
    this.#queuedLines = [];
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

  /** Retries: a disk may get space, a named pipe another reader. */
  #later(): void {
    if (this.#state === 'ended') return;
    this.#state = 'pausing';
    setTimeout(() => this.#next(), this.#pause).unref();
    this.#pause = Math.min(2 * this.#pause, longestPause);
  }

  #reportLost(): void {
    const lines = this.#lostCount - this.#reportedCount;
    if (lines === 0) return;
    this.#reportedCount = this.#lostCount;
    this.#reportMissedLines(lines);
  }
}
