import { httpError } from '../../errors.js';

/** Text is gathered up to so many characters before it becomes bytes: a call for each event costs more than the event. */
const gathered = 32 * 1024;

/** Events as NDJSON, in one growing piece of memory. */
export class EventLines {
  #bytes: Buffer;
  #length = 0;
  #text = '';
  readonly #most: number;
  readonly #what: string;

  /**
   * @param expected bytes
   * @param most bytes
   * @param what the lines are, for who sent too many: `spans`
   */
  constructor(expected: number, most: number, what: string) {
    this.#bytes = Buffer.allocUnsafeSlow(Math.min(Math.max(Math.ceil(expected), 1024), most));
    this.#most = most;
    this.#what = what;
  }

  /** @throws HttpError `events-too-large` */
  add(line: string): void {
    this.#text += line;
    if (this.#text.length >= gathered) this.#write();
  }

  /** All lines. */
  finish(): Uint8Array {
    this.#write();
    return this.#bytes.subarray(0, this.#length);
  }

  #write(): void {
    const bytes = Buffer.byteLength(this.#text);
    const length = this.#length + bytes;
    if (length > this.#most) throw httpError('events-too-large', { limit: this.#most, what: this.#what });
    if (length > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.min(this.#most, Math.max(length, 2 * this.#bytes.length)));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    this.#bytes.write(this.#text, this.#length);
    this.#length = length;
    this.#text = '';
  }
}
