import type { TopNestedLevel } from '../../syntax/ast.js';
import { nameOf } from './naming.js';
import { scalarOf } from './scalar.js';
import { sortRows } from './sort.js';
import { summarize } from './summarize.js';
import { identity } from './values.js';
import type { Column, Row, Table, Value } from './values.js';

/**
 * The best values of the first level, for each of them the best of the next, and after them a row
 * for all others if requested.
 */
export function topNested(table: Table, levels: readonly TopNestedLevel[]): Table {
  const columns = levels.flatMap((level): readonly Column[] => groupLevel(table, level).columns);
  return { columns, rows: computeLevels(table, levels) };
}

function computeLevels({ columns, rows }: Table, [level, ...deeper]: readonly TopNestedLevel[]): readonly Row[] {
  if (level === undefined) return [[]];
  const groups = groupLevel({ columns, rows }, level);
  const measure = { value: nameExpr(groups.columns[1]!.name), direction: level.direction ?? 'desc' } as const;
  const count = level.count === undefined ? Infinity : Number(scalarOf(level.count, []).at([[]], 0));
  const best = sortRows(groups, [measure]).rows.slice(0, count);
  const value = scalarOf(level.of.value, columns);
  const of = (key: Value): readonly Row[] => rows.filter((_, i) => identity(value.at(rows, i)) === identity(key));
  const found = best.flatMap(([key, size]) =>
    computeLevels({ columns, rows: of(key!) }, deeper).map((inner): Row => [key!, size!, ...inner]),
  );
  const taken = new Set(best.flatMap(([key]) => of(key!)));
  const left = { columns, rows: rows.filter((row) => !taken.has(row)) };
  if (level.withOthers === undefined || left.rows.length === 0) return found;
  return [...found, [level, ...deeper].flatMap((each) => othersOf(left, each))];
}

const groupLevel = (table: Table, { of, by }: TopNestedLevel): Table => {
  const name = of.name?.text ?? nameOf(of.value)!;
  const { span } = of;
  const measure = { ...by, name: by.name ?? { text: `aggregated_${name}`, quoted: true, span } };
  return summarize(table, [of], [measure]);
};

const othersOf = (table: Table, { withOthers, by }: TopNestedLevel): Row =>
  withOthers === undefined
    ? [null, null]
    : [scalarOf(withOthers, []).at([[]], 0), scalarOf(by.value, table.columns).at(table.rows, 0)];

const nameExpr = (text: string): TopNestedLevel['by']['value'] => {
  const span = { start: 0, end: 0 };
  return { kind: 'name', name: { text, quoted: true, span }, span };
};
