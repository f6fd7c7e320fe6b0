import { call, column, integer, lambda, literal } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { defineOverload, param } from '../../functions/define.js';
import type { Overload } from '../../functions/define.js';
import { quoteRegex } from '../../functions/string/pattern.js';
import { nullOf } from '../../lower/values.js';

/** What separates pairs, or a key from its value. */
interface Delimiter {
  readonly regex: string;
  /** The characters in it. */
  readonly characters: string;
  /** The characters that it may begin with. */
  readonly starts: string;
}

/** A delimiter that is one text. */
export const delimiterOf = (text: string): Delimiter => ({
  regex: quoteRegex(text),
  characters: text,
  starts: [...text][0] ?? '',
});

/** A run of any of the characters. */
const anyOf = (characters: string): Pick<Delimiter, 'characters' | 'starts'> => ({ characters, starts: characters });

/** What usually separates, for queries that do not say it. */
export const usualPair: Delimiter = { ...anyOf(' \t\r\n\f\v,;|&'), regex: '[\\s,;|&]+' };
export const usualKv: Delimiter = { ...anyOf('=:'), regex: '\\s*[=:]\\s*' };

/** The syntax of a text of keys and values. */
export interface KeyValueForm {
  readonly pair: Delimiter;
  readonly kv: Delimiter;
  /** Opening and closing quotes, one character each. */
  readonly quotes: readonly (readonly [open: string, close: string])[];
  /** Characters that escape the next one in a quoted value. */
  readonly escapes: readonly string[];
  /** Whether a value extends to the next key, across separators of pairs. */
  readonly greedy: boolean;
}

/**
 * Marks around hidden values: noncharacters of Unicode, which texts should not contain. A text with
 * them is misparsed.
 */
const OPEN = '\uFDD0';
const CLOSE = '\uFDD1';

/**
 * The value of a key in a string, null where the key is missing. `keys` are all keys of the query.
 * Quoted values are first replaced by hexadecimal digits between marks, so that their contents
 * cannot match a delimiter or a key.
 */
export const valueOfKey = (key: string, keys: readonly string[], form: KeyValueForm): Overload =>
  defineOverload({
    params: [param('text', 'string')],
    returns: 'string',
    lower: ([text]) => {
      const given = call('ifNull', text.sql, literal(''));
      const groups = call('extractGroups', hideQuoted(given, form), literal(keyRegex(key, keys, form)));
      const group = (n: number): Expr => call('arrayElement', groups, integer(n));
      const [quoted, bare] = [group(1), group(2)];
      const value = call(
        'if',
        call('notEmpty', quoted),
        unquoteValue(call('unhex', quoted), form),
        restoreQuoted(bare),
      );
      return call('if', call('empty', groups), nullOf('string'), value);
    },
  });

/**
 * Matches the pair of a key, with the value in the first group if it is quoted, and in the second
 * if it is bare.
 */
function keyRegex(key: string, keys: readonly string[], { pair, kv, quotes, greedy }: KeyValueForm): string {
  // Blanks around keys and values mean nothing, unless they separate pairs.
  const blanks = [...' \t\r\n\f\v'].filter((blank) => !pair.characters.includes(blank)).map(quoteRegex);
  const space = blanks.length === 0 ? '' : `[${blanks.join('')}]*`;
  const keyPatterns = (name: string): readonly string[] => [
    quoteRegex(name),
    ...quotes.map(([open, close]) => quoteRegex(open + name + close)),
  ];
  const start = `(?s)(?:^|${pair.regex})${space}(?:${keyPatterns(key).join('|')})${space}${kv.regex}${space}`;
  const anyKey = [...keys.flatMap(keyPatterns), `[^${setOf(pair.characters + kv.characters)}]+`].join('|');
  const next = greedy ? `${pair.regex}${space}(?:${anyKey})${space}${kv.regex}` : pair.regex;
  return `${start}(?:${OPEN}([0-9A-F]*)${CLOSE}|(.*?)${space}(?:${next}|$))`;
}

/**
 * The text with each quoted value as digits between marks. A quoted value follows the delimiter
 * between key and value.
 */
function hideQuoted(text: Expr, { kv, quotes, escapes }: KeyValueForm): Expr {
  if (quotes.length === 0) return text;
  const quoted = quotes.map((pair) => quotedRegex(pair, escapes)).join('|');
  const between = `${kv.regex}\\s*`;
  const pieces = call(
    'extractAllGroupsVertical',
    text,
    literal(`(?s)(${between})(${quoted})|([^${setOf(kv.starts)}]+|.)`),
  );
  const piece = column('piece');
  const element = (n: number): Expr => call('arrayElement', piece, integer(n));
  const hiddenValue = call('concat', literal(OPEN), call('hex', element(2)), literal(CLOSE));
  const written = call(
    'concat',
    element(1),
    call('if', call('empty', element(2)), literal(''), hiddenValue),
    element(3),
  );
  return call('arrayStringConcat', call('arrayMap', lambda(['piece'], written), pieces));
}

/** A text with its hidden values restored. */
function restoreQuoted(text: Expr): Expr {
  const pieces = call('splitByString', literal(OPEN), text);
  const two = call('splitByString', literal(CLOSE), column('piece'));
  const element = (list: Expr, n: number): Expr => call('arrayElement', list, integer(n));
  const others = call(
    'arrayMap',
    lambda(['piece'], call('concat', call('unhex', element(two, 1)), element(two, 2))),
    call('arraySlice', pieces, integer(2)),
  );
  return call('concat', element(pieces, 1), call('arrayStringConcat', others));
}

/** The text between the quotes, without escapes. */
function unquoteValue(value: Expr, { quotes, escapes }: KeyValueForm): Expr {
  const forms = quotes.map(([open, close]) => `${quoteRegex(open)}(.*)${quoteRegex(close)}`).join('|');
  const groups = quotes.map((_, i) => `\\${i + 1}`).join('');
  const inner = call('replaceRegexpOne', value, literal(`(?s)^(?:${forms})$`), literal(groups));
  if (escapes.length === 0) return inner;
  return call('replaceRegexpAll', inner, literal(`(?s)[${setOf(escapes.join(''))}](.)`), literal('\\1'));
}

/**
 * Matches a quoted value. If the quote is also an escape, it escapes only itself, doubled;
 * otherwise no quote could end a value.
 */
function quotedRegex([open, close]: readonly [string, string], escapes: readonly string[]): string {
  const escaped = escapes.map((escape) => (escape === close ? quoteRegex(escape + escape) : `${quoteRegex(escape)}.`));
  const plain = `[^${setOf([...escapes, close].join(''))}]`;
  return `${quoteRegex(open)}(?:${[...escaped, plain].join('|')})*${quoteRegex(close)}`;
}

/** Characters escaped for a set in a regular expression. */
const setOf = (characters: string): string =>
  [...new Set(characters)].map((c) => (/[\w\s]/.test(c) || c > '~' ? c : `\\${c}`)).join('');
