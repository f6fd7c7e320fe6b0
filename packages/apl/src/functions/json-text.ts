import { call, integer, literal } from '@millrace/sql';
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

/** The JSON value written in a text, without white space; null where the text is no JSON. Numbers beyond 64 bits are none. */
export const parsedJson = (text: Expr): Expr => withoutNull(call('nullIf', call('JSONExtractRaw', text), literal('')));

/** The JSON value written in a text, or else the text itself as a JSON string. */
export const jsonOrText = (text: Expr): Expr =>
  once(text, (given) =>
    once(call('JSONExtractRaw', given), (json) =>
      withoutNull(call('if', call('equals', json, literal('')), call('toJSONString', given), json)),
    ),
  );

/** Members of a JSON object as an array of tuples (key, JSON text), in the order of the text. */
export const membersOf = (json: Expr): Expr => call('JSONExtractKeysAndValuesRaw', call('ifNull', json, literal('')));

/** Part `n`, from 1, of a tuple. */
export const part = (tuple: Expr, n: number): Expr => call('tupleElement', tuple, integer(n));
