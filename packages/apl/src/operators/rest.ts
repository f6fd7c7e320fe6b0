import type { QueryContext } from '../bind/context.js';
import { bothBags, bothTexts, renamedBag } from '../lower/rest.js';
import type { Computed } from '../plan/nodes.js';
import { callOf, columnOf } from '../plan/scalar.js';
import type { Scalar } from '../plan/scalar.js';
import type { RestColumns, RestNames } from '../plan/schema.js';

/** Rare fields that operators carry along without making columns of them. */

/** The names of all rests; the same name in two of them is the same field. */
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
  renamed: first.renamed,
});

interface Beside {
  readonly rest?: RestColumns;
  readonly computed: readonly Computed[];
}

/** The name for a column beside others: its own, or with the first number that nothing else has. It counts as taken from then on. */
export function freeName(own: string, taken: Set<string>, rest: RestColumns | undefined): string {
  let name = own;
  for (let i = 1; taken.has(name) || rest?.names.has(name) === true; i++) name = `${own}${i}`;
  taken.add(name);
  return name;
}

/**
 * The rare fields of two rows that become one, such as those of a join. A field of the right side whose name is taken gets a number, as a column does.
 * Names are not looked at before it matters: a query that goes on to choose columns never needs to know.
 * @param taken names of columns; more are added
 */
export function besideEachOther(
  left: RestColumns | undefined,
  right: RestColumns | undefined,
  taken: Set<string>,
  query: QueryContext,
): Beside {
  if (right === undefined)
    return { ...(left && { rest: { bag: left.bag, text: left.text, names: left.names } }), computed: [] };
  const renamed = renamedNames(right.names, (name) => freeName(name, taken, left));
  const bag = callOf('renamed', renamedBag(renamed.changes, right.names.renamed), [bagOf(right)]);
  const computed: Computed[] = [];
  const made = (name: string, expr: Scalar): string => {
    const id = query.fresh(name);
    computed.push({ id, expr });
    return id;
  };
  if (left === undefined) return { rest: { bag: made('rest', bag), text: right.text, names: renamed.names }, computed };
  const rest = {
    bag: made('rest', callOf('both', bothBags, [bagOf(left), bag])),
    text: made('rest text', callOf('both', bothTexts, [textOf(left), textOf(right)])),
    names: namesOfAny(left.names, [renamed.names]),
  };
  return { rest, computed };
}

const bagOf = ({ bag }: RestColumns): Scalar => columnOf({ type: 'bag', id: bag });
const textOf = ({ text }: RestColumns): Scalar => columnOf({ type: 'string', id: text });

function renamedNames(
  { names, renamed }: RestNames,
  nameFor: (name: string) => string,
): { readonly names: RestNames; readonly changes: () => ReadonlyMap<string, string> } {
  let known: ReadonlyMap<string, string> | undefined;
  const all = (): ReadonlyMap<string, string> =>
    (known ??= new Map([...names()].toSorted().map((name) => [name, nameFor(name)])));
  let values: ReadonlySet<string> | undefined;
  const after = (): ReadonlySet<string> => (values ??= new Set(all().values()));
  return {
    names: { has: (name) => after().has(name), names: after, renamed },
    changes: () => new Map([...all()].filter(([before, name]) => before !== name)),
  };
}
