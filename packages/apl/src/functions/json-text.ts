import { and, call, column, integer, lambda, literal } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { once } from '../lower/once.js';
import { withoutNull } from '../lower/values.js';

/** What kind of value a JSON text holds; the first character tells. Any of these is null for null. */
export const holdsText = (json: Expr): Expr => call('startsWith', json, literal('"'));
export const holdsArray = (json: Expr): Expr => call('startsWith', json, literal('['));
export const holdsObject = (json: Expr): Expr => call('startsWith', json, literal('{'));
export const holdsBool = (json: Expr): Expr => call('in', json, call('tuple', literal('true'), literal('false')));

/** The content of a JSON string. */
export const contentOf = (json: Expr): Expr => call('JSONExtractString', json);

/** Strings, numbers, and what stands between them. */
const TOKENS = String.raw`"(?:[^"\\]|\\.)*"|-?[0-9][0-9.eE+-]*|[^"0-9-]+|.`;

/** The engine reads no JSON with an integer beyond 64 bits, and writes such floats as integers: a text keeps all digits. */
const withWideIntegers = (text: Expr): Expr =>
  call(
    'arrayStringConcat',
    call(
      'arrayMap',
      lambda(
        ['token'],
        call(
          'if',
          call('match', column('token'), literal('^-?[0-9]{19,}$')),
          call('concat', literal('"'), column('token'), literal('"')),
          column('token'),
        ),
      ),
      call('extractAll', text, literal(TOKENS)),
    ),
  );

const rawJson = (text: Expr): Expr =>
  once(call('JSONExtractRaw', text), (json) =>
    call(
      'if',
      and(call('equals', json, literal('')), call('match', text, literal('[0-9]{19}'))),
      call('JSONExtractRaw', withWideIntegers(text)),
      json,
    ),
  );

/** The JSON value written in a text, without white space; null where the text is no JSON. Integers beyond 64 bits become texts. */
export const parsedJson = (text: Expr): Expr =>
  once(text, (given) => withoutNull(call('nullIf', rawJson(given), literal(''))));

/** The JSON value written in a text, or else the text itself as a JSON string. */
export const jsonOrText = (text: Expr): Expr =>
  once(text, (given) =>
    once(rawJson(given), (json) =>
      withoutNull(call('if', call('equals', json, literal('')), call('toJSONString', given), json)),
    ),
  );

/** Members of a JSON object as an array of tuples (key, JSON text), in the order of the text. */
export const membersOf = (json: Expr): Expr => call('JSONExtractKeysAndValuesRaw', call('ifNull', json, literal('')));

/** Part `n`, from 1, of a tuple. */
export const part = (tuple: Expr, n: number): Expr => call('tupleElement', tuple, integer(n));
