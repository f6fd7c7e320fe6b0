import { call, column, integer, lambda, literal } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { whereAll } from '../equality.js';
import { shareSubexpression } from '../shared-subexpressions.js';
import { withOrigin } from '../origins.js';

/**
 * Objects whose members are parts of one string. They are declared once, and both the JSON of the
 * object and a single member derive from the declaration: a constant member is extracted from the
 * string without building JSON.
 */
export interface TextMembers {
  /** `Array(Tuple(String, String))` of all keys and members. The text is not null. */
  readonly all: (text: Expr) => Expr;
  /** A member, null if the object does not have it. The text is not null. */
  readonly one: (text: Expr, key: string) => Expr;
}

const objects = new WeakMap<Expr, { readonly text: Expr; readonly members: TextMembers }>();

/** JSON of the object that is found in a text; null for null. */
export const textObject = (text: Expr, members: TextMembers): Expr =>
  from(members)(
    text,
    whenPresent(text, (given) => objectText(members.all(given))),
  );

const from =
  (members: TextMembers) =>
  (text: Expr, json: Expr): Expr => {
    objects.set(json, { text, members });
    return withOrigin(text, json, from(members));
  };

/**
 * The text of a member, null if there is none; undefined if the JSON is not known to be such an
 * object.
 */
export function memberIn(json: Expr, key: string): Expr | undefined {
  const known = objects.get(json);
  return known && whenPresent(known.text, (text) => known.members.one(text, key));
}

const whenPresent = (text: Expr, body: (text: Expr) => Expr): Expr =>
  shareSubexpression(text, (given) => whereAll([given], body(call('ifNull', given, literal('')))));

/** JSON text of an object whose members are an array of tuples (key, text). */
function objectText(members: Expr): Expr {
  const part = (n: number): Expr => call('toJSONString', call('tupleElement', column('member'), integer(n)));
  const each = call('arrayMap', lambda(['member'], call('concat', part(1), literal(':'), part(2))), members);
  return call('concat', literal('{'), call('arrayStringConcat', each, literal(',')), literal('}'));
}

/** Members that every text has. */
export const namedMembers = (members: (text: Expr) => Readonly<Record<string, Expr>>): TextMembers => ({
  all: (text) =>
    call('array', ...Object.entries(members(text)).map(([key, value]) => call('tuple', literal(key), value))),
  one: (text, key) => {
    const all = members(text);
    return Object.hasOwn(all, key) ? all[key]! : literal(null);
  },
});
