import { and, call, column, integer, lambda, literal, not, or } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { shareSubexpression } from '../shared-subexpressions.js';

/**
 * Parts of JSON texts as JSON texts, all extracted here. The engine writes reals of up to 10²¹ as
 * integers, but cannot parse JSON with an integer beyond 64 bits: in a part such a number gets an
 * exponent, `18446744073709551616e0`; otherwise the rest of the JSON would be lost too.
 */

/**
 * The member or element at a path, an empty text if there is none. Without a path the value itself,
 * without white space.
 */
export function memberText(json: Expr, ...path: readonly Expr[]): Expr {
  const text = toReadableJson(call('JSONExtractRaw', json, ...path));
  canonicalExprs.add(text);
  return text;
}

const canonicalExprs = new WeakSet<Expr>();

/** Whether JSON is known to be written by `memberText`, which writes equal values the same way. */
const isWritten = (json: Expr): boolean =>
  canonicalExprs.has(json) || (json.kind === 'call' && json.name === 'nullIf' && isWritten(json.args[0]!));

/**
 * A text that may be JSON, in a form that the engine can parse completely. Integers beyond 64 bits
 * and unpaired surrogates prevent the engine from parsing anything: the former become strings with
 * all their digits, the latter U+FFFD, as in events.
 */
export const readableText = (text: Expr): Expr =>
  // Rewriting takes ten times as long as parsing. It runs only for rows that need it, because it
  // depends on `given` and is in a single `if` for all readers: the engine computes for every row
  // all expressions that do not depend on the arguments of a lambda or that several `if` share.
  shareSubexpression(text, (given) =>
    call(
      'if',
      and(or(call('match', given, literal('[0-9]{19}')), hasSurrogates(given)), not(call('isValidJSON', given))),
      withWideIntegers(withWholePairs(given), (digits) => call('concat', literal('"'), digits, literal('"'))),
      given,
    ),
  );

const hasSurrogates = (json: Expr): Expr =>
  call('greater', call('positionCaseInsensitive', json, literal(String.raw`\ud`)), integer(0));

/**
 * Characters that cannot occur in JSON, as placeholders of an escaped backslash and of the
 * beginning of an escape in a pair.
 */
const [BACKSLASH, IN_PAIR] = ['\u0001', '\u0002'];
const HIGH = '[dD][89abAB][0-9a-fA-F]{2}';
const LOW = '[dD][c-fC-F][0-9a-fA-F]{2}';

/**
 * A JSON text with U+FFFD for each escaped half of a pair. Expressions here cannot look ahead, so
 * whole pairs and escaped backslashes step aside.
 */
function withWholePairs(json: Expr): Expr {
  const aside = call('replaceAll', json, literal(String.raw`\\`), literal(BACKSLASH!));
  const pairs = call(
    'replaceRegexpAll',
    aside,
    literal(`\\\\u(${HIGH})\\\\u(${LOW})`),
    literal(String.raw`${IN_PAIR}\1${IN_PAIR}\2`),
  );
  const halves = call(
    'replaceRegexpAll',
    pairs,
    literal(String.raw`\\u[dD][89a-fA-F][0-9a-fA-F]{2}`),
    literal('\ufffd'),
  );
  const back = call('replaceAll', halves, literal(IN_PAIR!), literal(String.raw`\u`));
  return call('replaceAll', back, literal(BACKSLASH!), literal(String.raw`\\`));
}

/** The elements of an array as `Array(String)`. */
export const elementTexts = (json: Expr, ...path: readonly Expr[]): Expr =>
  call('arrayMap', lambda(['element'], toReadableJson(column('element'))), call('JSONExtractArrayRaw', json, ...path));

/** The members of an object as tuples (key, JSON text). */
export const memberTexts = (json: Expr): Expr =>
  call(
    'arrayMap',
    lambda(['entry'], call('tuple', entry(1), toReadableJson(entry(2)))),
    call('JSONExtractKeysAndValuesRaw', json),
  );

const entry = (part: number): Expr => call('tupleElement', column('entry'), integer(part));

/** JSON that the engine wrote, in a form it can read. */
export const toReadableJson = (written: Expr): Expr =>
  shareSubexpression(written, (text) =>
    call(
      'if',
      mayBeWide(text),
      withWideIntegers(text, (digits) => call('concat', digits, literal('e0'))),
      text,
    ),
  );

/**
 * Whether JSON that the engine wrote may have integers beyond 64 bits. Most texts are short or have
 * no such run of zeros, which is checked quickly.
 */
const mayBeWide = (text: Expr): Expr =>
  and(
    call('greater', call('length', text), integer(18)),
    call('greater', call('position', text, literal('000')), integer(0)),
    call('match', text, literal('[0-9]{16}000')),
  );

/**
 * JSON as the engine formats it, the same text for equal values, to compare whole values:
 * independent of white space, escapes and number formats. JSON that the engine could not parse
 * again stays unchanged: `memberText`, which makes it readable, takes the engine longer to plan
 * than a query that groups by many columns.
 */
export const sameText = (json: Expr): Expr =>
  isWritten(json)
    ? json
    : shareSubexpression(json, (given) => {
        const text = call('JSONExtractRaw', given);
        return call('if', or(call('empty', text), mayBeWide(text)), given, text);
      });

/**
 * A JSON text for people, without the exponents that `toReadableJson` adds. The engine needs them.
 */
export const shownJson = (json: Expr): Expr =>
  shareSubexpression(json, (text) =>
    call(
      'if',
      and(
        call('greater', call('position', text, literal('e0')), integer(0)),
        call('match', text, literal('[0-9]{19}e0')),
      ),
      call('JSONExtractRaw', text),
      text,
    ),
  );

/** Strings, numbers, and everything between them. */
const TOKENS = String.raw`"(?:[^"\\]|\\.)*"|-?[0-9][0-9.eE+-]*|[^"0-9-]+|.`;

/** A JSON text with its integers beyond 64 bits replaced. */
const withWideIntegers = (json: Expr, replaced: (digits: Expr) => Expr): Expr =>
  call(
    'arrayStringConcat',
    call(
      'arrayMap',
      lambda(['token'], call('if', isWide(column('token')), replaced(column('token')), column('token'))),
      call('extractAll', json, literal(TOKENS)),
    ),
  );

const isWide = (token: Expr): Expr =>
  and(call('match', token, literal('^-?[0-9]{19,}$')), call('isNull', call('toInt64OrNull', token)));
