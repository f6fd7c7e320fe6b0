import type { QueryContext } from '../bind/context.js';
import { bothBags, bothTexts, renamedBag, sortedBag, textOfBag } from '../lower/relations/rare-fields.js';
import type { ComputedColumn, Plan, ProjectPlan, SortKey } from '../plan/nodes.js';
import { callOf, columnOf } from '../plan/scalar.js';
import type { Scalar } from '../plan/scalar.js';
import { objectsAround } from '../bind/names/objects.js';
import type { RestColumns, RestNames } from '../plan/schema.js';
import { ascendingKey } from '../plan/sort-key.js';

/** Rare fields that operators carry along without making columns of them. */

/** The names of all rests; equal names are the same field. */
export const namesOfAny = (first: RestNames, others: readonly RestNames[]): RestNames => ({
  has: (name) => first.has(name) || others.some((names) => names.has(name)),
  *names() {
    const seen = new Set<string>();
    for (const each of [first, ...others])
      for (const name of each.names()) {
        if (!seen.has(name)) yield name;
        seen.add(name);
      }
  },
  beneath: (path) => first.beneath(path) || others.some((names) => names.beneath(path)),
  renamed: first.renamed,
  members: first.members,
});

/** A unique name for a column: its own, or the first unused number appended. It is then in use. */
export function freeName(own: string, taken: Set<string>, rest: Pick<RestColumns, 'names'> | undefined): string {
  let name = own;
  for (let i = 1; taken.has(name) || rest?.names.has(name) === true; i++) name = `${own}${i}`;
  taken.add(name);
  return name;
}

/** Rare fields as values that are still to be computed. */
interface RestValue extends Pick<RestColumns, 'names'> {
  readonly bag: Scalar;
  readonly text: Scalar;
}

interface ComputedRest {
  readonly rest?: RestColumns;
  readonly computed: readonly ComputedColumn[];
}

/**
 * The rare fields of the rows of a join. A field of the right side with a used name gets a number,
 * like a column. Names are checked only when needed: a query that later chooses columns never needs
 * them.
 * @param taken names of columns; more are added
 * @param before names of columns of the left side
 */
export function joinedRest(
  left: RestColumns | undefined,
  right: RestColumns | undefined,
  taken: Set<string>,
  before: readonly string[],
  query: QueryContext,
): ComputedRest {
  // Rare fields that an aggregation took or grouped by lose that role in the rows of a join.
  if (right === undefined)
    return { ...(left && { rest: { bag: left.bag, text: left.text, names: left.names } }), computed: [] };
  return makeRest(withColumns(left && valueOf(left), valueOf(right), taken, before), query);
}

/** Rare fields that an aggregation has in one of its columns. */
export type AggregatedRest = Omit<RestColumns, 'text'>;

/** Rare fields as a group: events that differ only in them are different. */
export function restGroup(
  { bag, names }: RestColumns,
  query: QueryContext,
): { readonly rest: AggregatedRest; readonly group: ComputedColumn } {
  const id = query.fresh('rest');
  return {
    rest: { bag: id, names, role: { kind: 'group' } },
    group: { id, expr: callOf('sorted', sortedBag, [bagOf({ bag })]) },
  };
}

/** Sort keys that distinguish rows that differ only in their rare fields. */
export const restKeys = ({ schema: { rest } }: Plan): readonly SortKey[] =>
  rest?.role?.kind === 'group' ? [ascendingKey(bagOf(rest))] : [];

/**
 * Adds the rare fields of an aggregation. Several sets of them get different names, and have no
 * role in common.
 */
export function withRests(plan: ProjectPlan, rests: readonly AggregatedRest[], query: QueryContext): Plan {
  const taken = new Set(plan.schema.fields.map(({ name }) => name));
  let all: RestValue | undefined;
  for (const rest of rests) {
    const bag = bagOf(rest);
    all = withColumns(all, { bag, text: callOf('text', textOfBag, [bag]), names: rest.names }, taken, []);
  }
  if (all === undefined) return plan;
  const { rest, computed } = makeRest(all, query);
  const [first, ...others] = rests;
  const role = others.length === 0 ? first?.role : undefined;
  return {
    ...plan,
    schema: { ...plan.schema, rest: { ...rest, ...(role && { role }) } },
    computed: [...plan.computed, ...computed],
  };
}

function withColumns(
  left: RestValue | undefined,
  right: RestValue,
  taken: Set<string>,
  before: readonly string[],
): RestValue {
  const ofLeft = new Set(before.flatMap((name) => [name, ...objectsAround(name)]));
  const isTaken = (path: string): boolean => left?.names.beneath(path) === true || ofLeft.has(path);
  const renamed = renamedNames(right.names, isTaken, (name) => {
    // The name of an object of the left side is in use, though no column has it.
    if (isTaken(name)) taken.add(name);
    return freeName(name, taken, left);
  });
  const bag = callOf('renamed', renamedBag(renamed.changes, right.names.renamed), [right.bag]);
  if (left === undefined) return { ...right, bag, names: renamed.names };
  return {
    bag: callOf('both', bothBags, [left.bag, bag]),
    text: callOf('both', bothTexts, [left.text, right.text]),
    names: { ...namesOfAny(left.names, [renamed.names]), members: membersBeside(left.names, renamed.names) },
  };
}

/**
 * Members of an object of one side. Fields of the right side are not members of an object of the
 * left one, though their names are below it.
 */
const membersBeside =
  (left: RestNames, right: RestNames): RestNames['members'] =>
  (bag, path, except) => {
    if (!left.beneath(path)) return right.members(bag, path, except);
    const others = [...right.names()].filter((name) => name.startsWith(`${path}.`));
    const own = others.length === 0 ? bag : left.renamed(bag, new Map(others.map((name) => [name, ''])));
    return left.members(own, path, except);
  };

function makeRest({ bag, text, names }: RestValue, query: QueryContext): Required<ComputedRest> {
  const [bagId, textId] = [query.fresh('rest'), query.fresh('rest text')];
  const computed = [
    { id: bagId, expr: bag },
    { id: textId, expr: text },
  ];
  return { rest: { bag: bagId, text: textId, names }, computed };
}

const bagOf = ({ bag }: Pick<RestColumns, 'bag'>): Scalar => columnOf({ type: 'bag', id: bag });

const valueOf = ({ bag, text, names }: RestColumns): RestValue => ({
  bag: bagOf({ bag }),
  text: columnOf({ type: 'string', id: text }),
  names,
});

function renamedNames(
  { names, beneath, renamed, members }: RestNames,
  isTaken: (path: string) => boolean,
  nameFor: (name: string) => string,
): { readonly names: RestNames; readonly changes: () => ReadonlyMap<string, string> } {
  let known: ReadonlyMap<string, string> | undefined;
  const all = (): ReadonlyMap<string, string> =>
    (known ??= new Map([...names()].toSorted().map((name) => [name, nameFor(name)])));
  let values: ReadonlySet<string> | undefined;
  const after = (): ReadonlySet<string> => (values ??= new Set(all().values()));
  return {
    // Members of an object whose name is taken get numbers, and are found by their own names only.
    names: {
      has: (name) => after().has(name),
      names: after,
      beneath: (path) => beneath(path) && !isTaken(path),
      renamed,
      members,
    },
    changes: () => new Map([...all()].filter(([before, name]) => before !== name)),
  };
}
