import type { Argument } from '../../syntax/ast.js';
import { convert } from './conversions.js';
import { freeName } from './free-name.js';
import { nameOf } from './naming.js';
import { EvaluationError } from './evaluation-error.js';
import { scalarOf } from './scalar.js';
import { isBag, isList } from './values.js';
import type { Column, Table, Type, Value } from './values.js';

/** A column for each key of the objects of a column, which they replace. */
export function unpackBag({ columns, rows }: Table, [of, ...options]: readonly Argument[]): Table {
  const [prefix = '', conflict = 'error', ignored = []] = options.map(({ value }) => scalarOf(value, []).at([[]], 0));
  const bag = scalarOf(of!.value, columns);
  const bags = rows.map((_, i) => bag.at(rows, i)).map((value) => (isBag(value) ? value : {}));
  const kept = columns.filter(({ name }) => of!.value.kind !== 'name' || name !== nameOf(of!.value));
  const keys = [...new Set(bags.flatMap((each) => Object.keys(each)))]
    .filter((key) => !(isList(ignored) && ignored.includes(key)))
    .toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  const taken = new Set<string>();
  const added = keys.flatMap((key): readonly (Column & { readonly key: string })[] => {
    const name = freeName(`${String(prefix)}${key}` || '(empty)', taken);
    const clashes = kept.some((column) => column.name === name);
    if (clashes && conflict === 'error') throw new EvaluationError(`there is a column ${name}`);
    if (clashes && conflict === 'keep_source') return [];
    taken.add(name);
    return [{ name, key, type: typeOf(bags.flatMap((each) => (Object.hasOwn(each, key) ? [each[key]!] : []))) }];
  });
  const places = columns.flatMap(({ name }, i) =>
    kept.some((column) => column.name === name) && !taken.has(name) ? [i] : [],
  );
  return {
    columns: [...places.map((i) => columns[i]!), ...added.map(({ name, type }) => ({ name, type }))],
    rows: rows.map((row, i) => [
      ...places.map((at) => row[at]!),
      ...added.map(({ key, type }) => {
        const value = Object.hasOwn(bags[i]!, key) ? bags[i]![key]! : null;
        return convert({ type: 'dynamic', at: () => value }, type).at([], 0);
      }),
    ]),
  };
}

/** The type that all values share, real for any numbers, dynamic for others. */
function typeOf(values: readonly Value[]): Type {
  const kinds: Readonly<Record<string, Type>> = { bigint: 'long', number: 'real', string: 'string', boolean: 'bool' };
  const types = new Set(
    values.filter((value) => value !== null).map((value): Type => kinds[typeof value] ?? 'dynamic'),
  );
  const [only = 'dynamic', ...more] = types;
  if (more.length === 0) return only;
  return [...types].every((type) => type === 'long' || type === 'real') ? 'real' : 'dynamic';
}
