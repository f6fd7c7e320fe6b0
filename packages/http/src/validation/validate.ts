import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { type MismatchCode, httpError } from '@millrace/api/errors';
import { mismatches } from './mismatch.js';
import { memberOf, type Schema } from './schema-walk.js';

/**
 * Converts external values to the form of a schema: null and unset properties are removed, strings
 * become numbers and booleans.
 */

/** Whether a schema allows every value: such values are stored unchanged, including nulls. */
const isFree = ({ type, anyOf, const: only, enum: values }: Schema): boolean =>
  type === undefined && anyOf === undefined && only === undefined && values === undefined;

/** Go programs send null for an empty list: a null body counts as an empty list. */
const isList = ({ type }: Schema): boolean => type === 'array';

type Checker = ReturnType<typeof Compile>;
const checkers = new WeakMap<TSchema, Checker>();

function checkerOf(schema: TSchema): Checker {
  const present = checkers.get(schema);
  if (present !== undefined) return present;
  const made = Compile(schema);
  checkers.set(schema, made);
  return made;
}

/** Value that Go programs send for an unset time. */
const zeroTime = /^0001-01-01T00:00:00(\.0+)?Z$/;

/**
 * Validates a JSON body. Properties that are null, or a time that means "not set", count as
 * missing; unknown properties are removed, unless the schema forbids them.
 * @param code of the error for an invalid body
 * @throws HttpError `missing-body`, `invalid-request` or the other code
 */
export function checkBody(schema: TSchema, value: unknown, code: MismatchCode = 'invalid-request'): unknown {
  const clean = value === null && isList(schema) ? [] : withoutUnset(schema, value);
  if (clean === undefined) throw httpError('missing-body', {});
  return check(schema, clean, 'body', code);
}

type Texts = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Validates and converts query parameters, headers (with lower-case names in the schema) or path
 * parameters. Removes unknown ones. Of repeated ones, the last wins, unless it is a list: its
 * values may be in repeated parameters or separated by commas.
 * @param what name of one of them in errors
 * @throws HttpError `invalid-request`
 */
export const checkTexts = (
  schema: TSchema,
  given: Texts,
  what: 'query parameter' | 'header' | 'path parameter',
): unknown => check(schema, fromTexts(schema, given), what);

function check(schema: TSchema, value: unknown, what: string, code: MismatchCode = 'invalid-request'): unknown {
  const checker = checkerOf(schema);
  if (checker.Check(value)) return value;
  throw httpError(code, { problem: mismatches(schema, what, checker.Errors(value)).join('; ') });
}

function withoutUnset(schema: Schema, value: unknown): unknown {
  if (isFree(schema)) return value;
  if (value === null || value === undefined) return undefined;
  if (schema.format === 'date-time' && (value === '' || (typeof value === 'string' && zeroTime.test(value))))
    return undefined;
  if (Array.isArray(value)) {
    const { items } = schema;
    return items === undefined ? value : value.map((item) => withoutUnset(items, item) ?? item);
  }
  if (typeof value !== 'object') return value;
  if (schema.properties === undefined && schema.patternProperties === undefined) return value;
  const kept = membersOf(schema, value)
    .map(([name, member]) => {
      const of = memberOf(schema, name);
      if (of === undefined)
        return [name, schema.additionalProperties === false ? (member ?? undefined) : undefined] as const;
      return [name, withoutUnset(of, member)] as const;
    })
    .filter(([, member]) => member !== undefined);
  return Object.fromEntries(kept);
}

/**
 * The properties of an object by their names in the schema. If a name occurs in two cases, the
 * exact one comes last and wins.
 */
function membersOf(schema: Schema, value: object): readonly (readonly [string, unknown])[] {
  const members = Object.entries(value);
  const { properties } = schema;
  if (schema['x-any-case'] !== true || properties === undefined) return members;
  const known = new Map(Object.keys(properties).map((name) => [name.toLowerCase(), name]));
  const renamed = members.map(
    ([name, member]) =>
      [Object.hasOwn(properties, name) ? name : (known.get(name.toLowerCase()) ?? name), member, name] as const,
  );
  return [
    ...renamed.filter(([name, , given]) => name !== given),
    ...renamed.filter(([name, , given]) => name === given),
  ].map(([name, member]) => [name, member] as const);
}

function fromTexts(schema: Schema, given: Texts): unknown {
  const values: Record<string, unknown> = {};
  for (const name in schema.properties) {
    const of = schema.properties[name]!;
    const all = of.type === 'array' ? textsOfList(name, given) : textsOf(name, given);
    if (all.length === 0) continue;
    if (of.type === 'array') {
      const items = all
        .flatMap((text) => (of['x-whole'] === true ? [text] : text.split(',')))
        .filter((text) => text !== '');
      if (items.length > 0) values[name] = items.map((text) => fromText(of.items ?? {}, text));
      continue;
    }
    const text = all.at(-1);
    // An empty parameter, or a time that means "not set", counts as missing. If it is required, it
    // is passed on and rejected.
    const unset = text === undefined || text === '' || (of.format === 'date-time' && zeroTime.test(text));
    if (!unset || (text !== undefined && schema.required?.includes(name))) values[name] = fromText(of, text);
  }
  return values;
}

const textsOf = (name: string, given: Texts): readonly string[] => {
  const texts = Object.hasOwn(given, name) ? given[name] : undefined;
  return texts === undefined ? [] : typeof texts === 'string' ? [texts] : texts;
};

/**
 * A list is sent as `a=x&a=y` or `a=x,y`, by the client for Rust as `a[0]=x&a[1]=y`, by others as
 * `a[]=x&a[]=y`.
 */
const textsOfList = (name: string, given: Texts): readonly string[] =>
  Object.keys(given)
    .filter((key) => key === name || (key.startsWith(`${name}[`) && /^\[\d*\]$/.test(key.slice(name.length))))
    .flatMap((key) => textsOf(key, given));

function fromText(schema: Schema, text: string): unknown {
  switch (schema.type) {
    case 'boolean':
      return /^(true|1)$/i.test(text) ? true : /^(false|0)$/i.test(text) ? false : text;
    case 'integer':
    case 'number':
      return /^[+-]?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
    default:
      return text;
  }
}
