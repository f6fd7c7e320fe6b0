import { consume } from '../../model/compile-budget.js';
import { defineOverload, param } from '../../functions/define.js';
import type { LoweredArgument } from '../../functions/define.js';
import { packedObject } from '../../lower/json/packed-object.js';
import type { ObjectNode } from '../../lower/json/packed-object.js';
import { callOf, columnOf } from '../../plan/scalar.js';
import type { Bound, Scalar } from '../../plan/scalar.js';
import { fieldNamed, readingsOf } from '../../plan/schema.js';
import type { Field, RestColumns, Schema } from '../../plan/schema.js';
import { isDynamic } from '../../model/types.js';

/**
 * Objects of events. Storage keeps each member in its own column, `o.k`; here they are one
 * value again, which is packed only in queries that name the object itself.
 */

/**
 * The value of a name whose members are columns: what events have under the name itself, and in
 * rows without such a value the object of its members. Undefined if there are no members, or the
 * query made the column of that name itself.
 */
export function objectNamed(name: string, schema: Schema): Bound | undefined {
  const field = fieldNamed(schema, name);
  const found = membersNamed(name, field, schema);
  if (found === undefined) return undefined;
  const values: Scalar[] = [];
  const node = numberValues(treeOf(field === undefined ? [] : readingsOf(field), found, name), values);
  const own = values.slice(0, node.own.length);
  const object = callOf(
    'object',
    packOverload(node, own.some(({ type }) => isDynamic(type)) ? 'dynamic' : 'bag'),
    values,
  );
  const [first, ...others] = [...own.filter(({ type }) => !isDynamic(type)), object];
  return [first!, ...others];
}

/** Whether a name is that of an object whose members are columns. */
export const isObject = (name: string, schema: Schema): boolean =>
  membersNamed(name, fieldNamed(schema, name), schema) !== undefined;

/** Values by their names, with objects of events in place of their members. */
export function objectValues(schema: Schema): readonly { readonly name: string; readonly value: Bound }[] {
  const values = new Map<string, Bound>();
  for (const field of schema.fields) {
    const dot = field.events === undefined ? -1 : field.name.indexOf('.');
    const name = dot === -1 ? field.name : field.name.slice(0, dot);
    if (values.has(name)) continue;
    const object = field.events === undefined ? undefined : objectNamed(name, schema);
    if (object !== undefined) values.set(name, object);
    else values.set(field.name, readingsOf(field));
  }
  return [...values].map(([name, value]) => ({ name, value }));
}

/** Whether a field is a member of the object, at any depth. */
export const isMemberOf = (name: string, field: Pick<Field, 'name'>): boolean => field.name.startsWith(`${name}.`);

/** `a` and `a.b` of `a.b.c`. */
export function objectsAround(name: string): readonly string[] {
  const steps = name.split('.');
  return steps.slice(1).map((_, i) => steps.slice(0, i + 1).join('.'));
}

interface Members {
  readonly fields: readonly Field[];
  /** Present if rare fields may be members too. */
  readonly rest?: RestColumns;
}

function membersNamed(name: string, field: Field | undefined, schema: Schema): Members | undefined {
  if (field !== undefined && field.events === undefined) return undefined;
  consume(schema.fields.length / 200);
  const all = schema.fields.filter((other) => isMemberOf(name, other));
  const events = field?.events ?? all.find((member) => member.events !== undefined)?.events;
  // A join may have brought members of other events. What the query made replaces what there was.
  const fields = all.filter((member) => member.events === undefined || member.events === events);
  const rest = schema.rest?.role === undefined && schema.rest?.names.beneath(name) === true ? schema.rest : undefined;
  if (rest === undefined && !fields.some((member) => member.events !== undefined)) return undefined;
  return { fields, ...(rest && { rest }) };
}

/** The object while it grows. */
interface Tree extends ObjectNode<Scalar> {
  own: Bound | readonly [];
  readonly members: Map<string, Tree>;
  others?: Scalar;
}

const emptyTree = (): Tree => ({ own: [], members: new Map() });

function treeOf(own: Bound | readonly [], { fields, rest }: Members, name: string): ObjectNode<Scalar> {
  const root: Tree = { ...emptyTree(), own };
  for (const field of fields) {
    let node = root;
    for (const key of field.name.slice(name.length + 1).split('.')) {
      const next = node.members.get(key) ?? emptyTree();
      node.members.set(key, next);
      node = next;
    }
    node.own = readingsOf(field);
  }
  if (rest !== undefined) addRest(root, name, rest);
  return root;
}

/** Adds what rare fields have at each node. */
function addRest(tree: Tree, path: string, rest: RestColumns): void {
  if (!rest.names.beneath(path)) return;
  const { members } = rest.names;
  const except = [...tree.members.keys()];
  const lower = ([bag]: readonly LoweredArgument[]) => members(bag!.sql, path, except);
  const overload = defineOverload({ params: [param('bag', 'bag')], returns: 'string', lower });
  tree.others = callOf('members', overload, [columnOf({ type: 'bag', id: rest.bag })]);
  for (const [key, member] of tree.members) addRest(member, `${path}.${key}`, rest);
}

/** The same tree with the places of its values in a list of arguments, to which they are added. */
function numberValues({ own, members, others }: ObjectNode<Scalar>, values: Scalar[]): ObjectNode<number> {
  const place = (value: Scalar): number => values.push(value) - 1;
  return {
    own: own.map(place),
    ...(others !== undefined && { others: place(others) }),
    members: new Map([...members].map(([key, member]) => [key, numberValues(member, values)])),
  };
}

const packOverload = (node: ObjectNode<number>, returns: 'bag' | 'dynamic') =>
  defineOverload({
    params: [],
    rest: param('value', 'any'),
    returns,
    lower: (args) => packedObject(placeArguments(node, args)),
  });

const placeArguments = (
  { own, members, others }: ObjectNode<number>,
  args: readonly LoweredArgument[],
): ObjectNode<LoweredArgument> => ({
  own: own.map((place) => args[place]!),
  ...(others !== undefined && { others: args[others]! }),
  members: new Map([...members].map(([key, member]) => [key, placeArguments(member, args)])),
});
