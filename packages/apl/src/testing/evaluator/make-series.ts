import type { Expr, Operator } from '../../syntax/ast.js';
import { nameOf } from './naming.js';
import { scalarOf } from './scalar.js';
import { asDynamic, identity } from './values.js';
import type { Column, Row, Table, Type, Value } from './values.js';

/**
 * A row for each group, with an array over all bins for each aggregate and one of the starts of the
 * bins.
 */
export function madeSeries(table: Table, operator: Operator & { readonly kind: 'make-series' }): Table {
  const { columns } = table;
  const axis = scalarOf(operator.on, columns);
  const constant = (expr: typeof operator.from): bigint => scalarOf(expr!, []).at([[]], 0) as bigint;
  const [from, to, step] = [constant(operator.from), constant(operator.to), constant(operator.step)];
  const starts: bigint[] = [];
  for (let start = from; start < to; start += step) starts.push(start);
  const groups = operator.by.map(({ name, value }) => ({
    name: name?.text ?? nameOf(value)!,
    scalar: scalarOf(value, columns),
  }));
  const series = operator.aggregates.map(({ name, value, default: otherwise = operator.default }) => {
    const scalar = scalarOf(value, columns);
    return { name: name!.text, scalar, empty: otherwise === undefined ? usual(scalar.type) : defaultOf(otherwise) };
  });
  const members = new Map<string, { readonly keys: Row; readonly bins: Map<bigint, Row[]> }>();
  if (groups.length === 0) members.set('', { keys: [], bins: new Map() });
  for (const [i, row] of table.rows.entries()) {
    const at = axis.at(table.rows, i);
    if (typeof at !== 'bigint' || at < from || at >= to) continue;
    const keys = groups.map(({ scalar }) => scalar.at(table.rows, i));
    const key = keys.map(identity).join();
    const group = members.get(key) ?? { keys, bins: new Map<bigint, Row[]>() };
    members.set(key, group);
    const bin = (at - from) / step;
    group.bins.set(bin, [...(group.bins.get(bin) ?? []), row]);
  }
  const arrays = series.map(({ name }): Column => ({ name, type: 'dynamic' }));
  return {
    columns: [
      ...groups.map(({ name, scalar }): Column => ({ name, type: scalar.type })),
      ...arrays,
      { name: nameOf(operator.on)!, type: 'dynamic' },
    ],
    rows: [...members.values()].map(({ keys, bins }): Row => [
      ...keys,
      ...series.map(({ scalar, empty }) =>
        starts.map((_, bin): Value => {
          const rows = bins.get(BigInt(bin));
          return rows === undefined ? empty : asDynamic(scalar.at(rows, 0), scalar.type);
        }),
      ),
      starts.map((start) => asDynamic(start, axis.type)),
    ]),
  };
}

const usual = (type: Type): Value => (['long', 'real', 'timespan'].includes(type) ? 0n : null);

function defaultOf(expr: Expr): Value {
  const scalar = scalarOf(expr, []);
  return asDynamic(scalar.at([[]], 0), scalar.type);
}
