import type { Parser } from './parser.js';

/** Kusto's prefixes of a table that name its location. */
const PLACES: ReadonlySet<string> = new Set(['adx', 'app', 'arg', 'cluster', 'database', 'resource', 'workspace']);

/** How many tokens such prefixes take: `cluster("a").database("b").`. */
export function placesLength(p: Parser, ahead: number): number {
  let length = 0;
  for (;;) {
    const at = ahead + length;
    const closing = PLACES.has(p.peek(at).text) && p.at('(', at + 1) ? p.closingOf(at + 1) : undefined;
    if (closing === undefined || !p.at('.', closing + 1)) return length;
    length = closing + 2 - ahead;
  }
}
