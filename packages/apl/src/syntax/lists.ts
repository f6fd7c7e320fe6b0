import { hasArgument } from './lookahead.js';
import { operatorNameAt } from './operator-names.js';
import type { Opening, Parser } from './parser.js';

interface ListOptions {
  readonly ends?: readonly string[];
  readonly trailing?: ']' | ')';
  readonly lines?: boolean;
}

/**
 *     list = item { "," item }
 *
 * Parses a comma-separated list. It ends with the operator or at one of the words in `ends`;
 * anything else is reported and skipped up to the next comma, so that one mistake does not hide
 * another. A comma before the bracket `trailing` is allowed. With `lines`, an item on a separate
 * line needs no comma before it, as in printed lists of examples; this gives a warning.
 */
export function commaList<T>(
  p: Parser,
  item: () => T,
  { ends = [], trailing, lines = false }: ListOptions = {},
): readonly T[] {
  const items: T[] = [];
  for (;;) {
    items.push(item());
    if (p.accept(',') !== undefined) {
      if (trailing !== undefined && p.at(trailing)) return items;
      if (!ends.some((word) => p.at(word)) || !goesOn(p)) continue;
      p.error(p.here(), `no comma stands before ${p.peek().text}`);
      return items;
    }
    if (p.atOperatorEnd() || ends.some((word) => p.at(word)) || operatorNameAt(p) !== undefined) return items;
    const { kind, text } = p.peek();
    const fix = kind === 'punctuation' ? undefined : { title: 'Insert a comma', replacement: `, ${text}` };
    if (lines && p.peek().startsLine && fix !== undefined) {
      p.warning(p.here(), `a comma is missing before ${text}`, fix);
      continue;
    }
    if (p.at('..')) p.error(p.here(), 'a range is no list; it is tested by value between (low .. high)');
    else
      p.reportUnexpected(ends.length === 0 ? 'a comma or the end of the list' : `a comma or ${ends.join(', ')}`, fix);
    p.skipTo(',', ...ends);
    if (p.accept(',') === undefined) return items;
  }
}

/**
 * Whether the next word ends the list. Otherwise it is an item itself, such as the column in
 * `limit to typeof(long)`.
 */
const goesOn = (p: Parser): boolean =>
  p.at('[', 1) || (p.peek(1).kind === 'word' && !p.at('to', 1) && hasArgument(p, 1));

/**
 *     "(" [ item { "," item } ] ")"
 */
/** `trailing` says which bracket may stand after a last comma. */
export function bracketedList<T>(
  p: Parser,
  opening: Opening,
  item: () => T,
  options: Pick<ListOptions, 'trailing'> = {},
): readonly T[] {
  if (isClosed(p)) {
    p.close(opening);
    return [];
  }
  const items = commaList(p, item, options);
  p.close(opening);
  return items;
}

const isClosed = (p: Parser): boolean => p.at(')') || p.at(']') || p.at('}');
