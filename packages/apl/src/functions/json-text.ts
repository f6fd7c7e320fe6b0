import { call, integer, literal } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { memberText, memberTexts, readableText } from '../lower/json/json-parts.js';
import { textIn } from '../lower/strings/known-texts.js';
import { shareSubexpression } from '../lower/shared-subexpressions.js';
import { parsedFrom, withoutNull } from '../lower/json/members.js';

/** The kind of value in a JSON text, which its first character determines. Null for null. */
export const holdsText = (json: Expr): Expr => call('startsWith', json, literal('"'));
export const holdsArray = (json: Expr): Expr => call('startsWith', json, literal('['));
export const holdsObject = (json: Expr): Expr => call('startsWith', json, literal('{'));
export const holdsBool = (json: Expr): Expr => call('in', json, call('tuple', literal('true'), literal('false')));

/** The content of a JSON string. */
export const contentOf = (json: Expr): Expr => call('JSONExtractString', json);

/**
 * Converts a JSON value by its kind. `text` gets the content of a string, `bool` whether a truth
 * value is true, `other` any other JSON as it is.
 */
export const fromJson = (
  value: Expr,
  made: {
    readonly text: (content: Expr) => Expr;
    readonly bool: (truth: Expr) => Expr;
    readonly other: (json: Expr) => Expr;
  },
): Expr => {
  const known = textIn(value);
  if (known !== undefined) return shareSubexpression(known, made.text);
  return shareSubexpression(value, (json) =>
    call(
      'multiIf',
      holdsText(json),
      made.text(contentOf(json)),
      holdsBool(json),
      made.bool(call('equals', json, literal('true'))),
      made.other(json),
    ),
  );
};

/**
 * The JSON value written in a text, without white space; null if the text is not JSON. Integers
 * beyond 64 bits become strings.
 */
export const parsedJson = (text: Expr): Expr =>
  parsedFrom(text, withoutNull(call('nullIf', memberText(readableText(text)), literal(''))));

/** The JSON value written in a text; if it is not JSON, the text itself as a JSON string. */
export const jsonOrText = (text: Expr): Expr => {
  const value = shareSubexpression(text, (given) =>
    shareSubexpression(memberText(readableText(given)), (json) =>
      withoutNull(call('if', call('equals', json, literal('')), call('toJSONString', given), json)),
    ),
  );
  return parsedFrom(text, value);
};

/** Members of a JSON object as an array of tuples (key, JSON text), in the order of the text. */
export const membersOf = (json: Expr): Expr => memberTexts(call('ifNull', json, literal('')));

/** Part `n` of a tuple, counted from 1. */
export const part = (tuple: Expr, n: number): Expr => call('tupleElement', tuple, integer(n));
