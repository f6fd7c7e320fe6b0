import type { Scope } from '../bind/context.js';
import { isMemberOf, isObject, objectNamed } from '../bind/names/objects.js';
import type { ComputedColumn } from '../plan/nodes.js';
import type { Field, Schema } from '../plan/schema.js';
import type { NamePattern } from '../syntax/ast.js';
import { fieldOf } from './columns.js';
import type { BoundColumn } from './columns.js';
import { matchesPattern } from './patterns.js';

/** Operators that choose columns by name take an object of events with all its members. */

/** Whether a pattern means a field, by its name or as a member of the object that it names. */
export const meansField = (pattern: NamePattern, field: Field, schema: Schema): boolean =>
  matchesPattern(pattern, field.name) ||
  (!pattern.wildcard && isMemberOf(pattern.text, field) && isObject(pattern.text, schema));

/** Whether a pattern means anything among the fields. */
export const meansAny = (pattern: NamePattern, schema: Schema): boolean =>
  schema.fields.some((field) => matchesPattern(pattern, field.name)) ||
  (!pattern.wildcard && isObject(pattern.text, schema));

interface WithObjects {
  readonly fields: readonly Field[];
  readonly computed: readonly ComputedColumn[];
}

/**
 * The fields with whole objects as columns, each where its first member is.
 * @param names of each object as events have it, and of its column
 * @param keep whether a field that belongs to one of the objects stays beside it
 */
export function withObjects(
  names: ReadonlyMap<string, string>,
  scope: Scope,
  keep: (field: Field) => boolean,
): WithObjects {
  const objects = new Map<string, BoundColumn>();
  for (const [name, as] of names) {
    const value = objectNamed(name, scope.schema);
    if (value !== undefined) objects.set(name, fieldOf(as, value, scope));
  }
  const placed = new Set<string>();
  const place = (name: string): readonly Field[] => {
    if (placed.has(name)) return [];
    placed.add(name);
    return [objects.get(name)!.field];
  };
  const fields = scope.schema.fields.flatMap((field) => {
    const around = [...objects.keys()].filter((name) => field.name === name || isMemberOf(name, field));
    return [...around.flatMap(place), ...(objects.has(field.name) || !keep(field) ? [] : [field])];
  });
  // Of some only rare fields are members.
  const others = [...objects.keys()].flatMap(place);
  return {
    fields: [...fields, ...others],
    computed: [...objects.values()].flatMap(({ computed }) => computed),
  };
}
