import { and, call, integer, literal } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import type { LoweredArgument } from '../../functions/define.js';
import { isDynamic } from '../../model/types.js';
import { asJson, nullOf } from '../values.js';
import { memberOf } from './members.js';

/** An object whose members are columns. */
export interface ObjectNode<Value> {
  /** What events have under its own name, at most one of them in a row. */
  readonly own: readonly Value[];
  readonly members: ReadonlyMap<string, ObjectNode<Value>>;
  /** Text of further members, each after a comma; empty in rows that have none. */
  readonly others?: Value;
}

/** Objects by the expression of their JSON. */
const objects = new WeakMap<Expr, ObjectNode<LoweredArgument>>();

/**
 * JSON of the object in a row: what the row has under its own name as JSON, else its members that
 * are not null. An empty object under its own name gives way to members, which an event may have
 * beside it under their full names. Null if it has neither, or another value under its own name.
 */
export function packedObject(node: ObjectNode<LoweredArgument>): Expr {
  const own = node.own.filter(({ type }) => isDynamic(type)).map(filledJson);
  const sql = firstOf([...own, unlessOther(node, packedMembers(node)), ...jsonOf(node)]);
  objects.set(sql, node);
  return sql;
}

/** Whether an expression is JSON of such an object, and never that of a text. */
export const isPackedWithoutTexts = (json: Expr): boolean =>
  objects.get(json)?.own.every(({ type }) => type !== 'dynamic') === true;

/**
 * JSON of a member, found without the object's; undefined for any other JSON and for keys that are
 * no columns.
 */
export function memberOfPacked(json: Expr, key: string): Expr | undefined {
  const node = objects.get(json);
  const member = node?.members.get(key);
  if (node === undefined || member === undefined || member.others !== undefined) return undefined;
  const index: LoweredArgument = { type: 'string', constant: key, sql: literal(key) };
  const sql = firstOf([...jsonOf(node).map((own) => memberOf(own, index)), unlessOther(node, valueOf(member))]);
  // Its members are only columns if nothing else can have them.
  if (node.own.length === 0 && member.own.length === 0) objects.set(sql, member);
  return sql;
}

const jsonOf = ({ own }: ObjectNode<LoweredArgument>): readonly Expr[] =>
  own.filter(({ type }) => isDynamic(type)).map(({ sql }) => sql);

/** A value as JSON, null if it is an empty object, which fields of arrays have too. */
const filledJson = (own: LoweredArgument): Expr =>
  isDynamic(own.type) ? call('nullIf', own.sql, literal('{}')) : asJson(own);

/** Null in rows that have a value other than JSON under the name of the object. */
function unlessOther({ own }: ObjectNode<LoweredArgument>, value: Expr): Expr {
  const others = own.filter(({ type }) => !isDynamic(type)).map(({ sql }) => call('isNull', sql));
  return others.length === 0 ? value : call('if', and(...others), value, nullOf('dynamic'));
}

const firstOf = (values: readonly Expr[]): Expr => (values.length === 1 ? values[0]! : call('coalesce', ...values));

/** The members alone; null if there are none. */
function packedMembers({ members, others }: ObjectNode<LoweredArgument>): Expr {
  const texts = [...members].map(([key, member]) =>
    call('ifNull', call('concat', literal(`,${JSON.stringify(key)}:`), valueOf(member)), literal('')),
  );
  const all = [...texts, ...(others === undefined ? [] : [others.sql])];
  const text = all.length === 1 ? all[0]! : call('concat', ...all);
  return call('nullIf', call('concat', literal('{'), call('substring', text, integer(2)), literal('}')), literal('{}'));
}

/** JSON of the value at a node; null if there is none. */
const valueOf = (node: ObjectNode<LoweredArgument>): Expr =>
  node.members.size === 0 && node.others === undefined
    ? firstOf(node.own.map(asJson))
    : firstOf([...node.own.map(filledJson), packedMembers(node), ...jsonOf(node)]);
