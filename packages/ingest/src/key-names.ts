import { member } from './event-lines.js';

/** Maximum cached names, so that ever new names do not exhaust memory. */
const maxNames = 10_000;

/** Cache of serialized property names: most events have the same names. */
export class MemberNames {
  readonly #members: Map<string, Buffer>;

  /** @param renamed fields whose names differ from those sent */
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
    if (this.#members.size < maxNames) this.#members.set(latin, start);
    return start;
  }
}
