import { call, cast, integer, literal, nothing } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { clickhouseType } from '../types.js';
import { once } from './once.js';

/**
 * Matches text with a four-digit year, a date of three numbers, or the date of RFC 850, `Sunday, 06-Nov-94`; without any of them the engine would
 * fill in the current year.
 */
const DATED = '[0-9]{4}|[0-9]{1,2}[/.][0-9]{1,2}[/.][0-9]{2}|^[A-Z][a-z]+, [0-9]{2}-[A-Z][a-z]{2}-[0-9]{2} ';

/** Matches an offset named by itself, `+0800 +08`, as Go prints times of zones without a name. The engine would count both. */
const TWICE = '[+-][0-9]{2}:?[0-9]{2} [+-][0-9]{2}';

/** Rewrites forms the engine does not know, or reads wrongly, to ones it knows. Zone names are left out: as in Go, an unknown one is UTC. */
const rewrites: readonly (readonly [regex: string, rewrite: string])[] = [
  // Go's clock that only goes ahead.
  [' m=[+-][0-9.]+$', ''],
  ['([+-][0-9]{2}:?[0-9]{2}) [+-][0-9]{2}(?:[0-9]{2})?$', '\\1'],
  ['\\s*\\((?:[A-Za-z ]+|[A-Z]+[+-][0-9:]+)\\)\\s*$', ''],
  ['([0-9]) ([B-FH-TV-Z][A-Z]{2,3}|[GU][A-Z]{3})( [0-9]{4})?$', '\\1\\3'],
  // Years of two digits mean 1970 to 2069, as the engine reads `11/06/94`.
  ['^[A-Z][a-z]+, ([0-9]{2})-([A-Z][a-z]{2})-([0-6][0-9]) ', '\\1 \\2 20\\3 '],
  ['^[A-Z][a-z]+, ([0-9]{2})-([A-Z][a-z]{2})-([7-9][0-9]) ', '\\1 \\2 19\\3 '],
  ['([0-9]{1,2})/([A-Z][a-z]{2})/([0-9]{4})[: ]', '\\1 \\2 \\3 '],
  ['([0-9]{4})-([A-Z][a-z]{2})-([0-9]{1,2})', '\\3 \\2 \\1'],
  ['(:[0-9]{2}),([0-9]+)', '\\1.\\2'],
  ['(:[0-9]{2}:[0-9]{2}):([0-9]{3})', '\\1.\\2'],
  ['([0-9])(?:st|nd|rd|th)\\b', '\\1'],
  ['\\b([A-Za-z]{3})\\. ', '\\1 '],
  ['([0-9]{4})年([0-9]{1,2})月([0-9]{1,2})日', '\\1-\\2-\\3'],
  ['([0-9]{4}),', '\\1'],
  ['^([0-9-]{10})t([0-9:.]+)z$', '\\1T\\2Z'],
];

const none = cast(nothing, clickhouseType.datetime);

/**
 * The instant that a text gives in any usual form, month before day where both are possible; null if it is not a time. `todatetime`, and every place
 * that reads a text in a dynamic as a datetime, use this function.
 */
export function parsedInstant(text: Expr): Expr {
  const parse = (of: Expr): Expr => call('parseDateTime64BestEffortUSOrNull', of, integer(9), literal('UTC'));
  return once(text, (given) => {
    const rewritten = rewrites.reduce(
      (sql, [regex, rewrite]) => call('replaceRegexpOne', sql, literal(regex), literal(rewrite)),
      given,
    );
    const plain = call('and', call('match', given, literal(DATED)), call('not', call('match', given, literal(TWICE))));
    return once(call('if', plain, parse(given), none), (first) =>
      call('if', call('and', call('isNull', first), call('match', given, literal(DATED))), parse(rewritten), first),
    );
  });
}
