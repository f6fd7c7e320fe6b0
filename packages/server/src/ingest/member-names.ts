import { member } from './event-lines.js';

/** Senders of nothing but new names fill no memory. */
const mostNames = 10_000;

/** The starts of members by the names of fields: an event has the same names as most others. */
export class MemberNames {
  readonly #members: Map<string, Buffer>;

  /** @param renamed fields under other names than those they are sent with */
  constructor(renamed: Iterable<readonly [string, Buffer]> = []) {
    this.#members = new Map(renamed);
  }

  /**
   * @param latin the bytes of the name in UTF-8, one character each, which is the cheapest way to
   * have them as a key
   */
  of(latin: string): Buffer {
    const known = this.#members.get(latin);
    if (known !== undefined) return known;
    const start = member(Buffer.from(latin, 'latin1').toString());
    if (this.#members.size < mostNames) this.#members.set(latin, start);
    return start;
  }
}
