import type { Expr, NamedExpr } from '../../syntax/ast.js';
import { namesOf } from './naming.js';
import { scalarOf } from './scalar.js';
import { isBag, isList, isNumber } from './values.js';
import type { Column, Row, Table, Type, Value } from './values.js';

const computeColumn = (table: Table, expr: Expr): { readonly type: Column['type']; readonly cells: Row } => {
  const scalar = scalarOf(expr, table.columns);
  return { type: scalar.type, cells: table.rows.map((_, i) => scalar.at(table.rows, i)) };
};

/** Exactly the columns given. */
export function project(
  table: Table,
  written: readonly NamedExpr[],
  unnamed: (i: number) => string,
  replaceable: readonly string[] = [],
): Table {
  const names = namesOf(written, unnamed, [], replaceable);
  const columns = written.map(({ value }, i) => ({ name: names[i]!, ...computeColumn(table, value) }));
  return {
    columns: columns.map(({ name, type }) => ({ name, type })),
    rows: table.rows.map((_, i) => columns.map(({ cells }) => cells[i]!)),
  };
}

/** All columns that are not replaced, then the new ones; every expression sees the original row. */
export function extend(
  table: Table,
  written: readonly NamedExpr[],
  kept: (value: Value, type: Type) => Value = (value) => value,
): Table {
  const names = table.columns.map(({ name }) => name);
  const added = project(table, written, (i) => `Column${i + 1}`, names);
  const replaced = new Set(added.columns.map(({ name }) => name));
  const others = selectColumns(
    table,
    names.filter((name) => !replaced.has(name)),
  );
  return {
    columns: [...others.columns, ...added.columns],
    rows: others.rows.map((row, i) => [
      ...row,
      ...added.rows[i]!.map((value, c) => kept(value, added.columns[c]!.type)),
    ]),
  };
}

/**
 * Values that `extend-valid` keeps: strings, arrays and objects that are not empty, finite numbers
 * other than 0, `true`, and times other than the first of 1970.
 */
export function validOrNull(value: Value, type: Type): Value {
  if (type === 'datetime') return value === 0n ? null : value;
  if (isNumber(value)) return Number(value) !== 0 && Number.isFinite(Number(value)) ? value : null;
  if (isList(value)) return value.length > 0 ? value : null;
  if (isBag(value)) return Object.keys(value).length > 0 ? value : null;
  return value === '' || value === false ? null : value;
}

/** The columns of these names, in this order. */
export function selectColumns(table: Table, names: readonly string[]): Table {
  const places = names.map((name) => table.columns.findIndex((column) => column.name === name));
  return {
    columns: places.map((at) => table.columns[at]!),
    rows: table.rows.map((row) => places.map((at) => row[at]!)),
  };
}

/**
 * All rows of all tables; columns that a table does not have are null, and columns of different
 * types are mixed.
 */
export function union(tables: readonly (Table & { readonly origin: string })[], withSource?: string): Table {
  const sourced = withSource === undefined ? tables : tables.map((table) => withOrigin(table, withSource));
  const names = [...new Set(sourced.flatMap((table) => table.columns.map(({ name }) => name)))];
  const typeOf = (name: string): Type => {
    const found = sourced.flatMap((table) => table.columns.filter((column) => column.name === name));
    const types = new Set(found.map(({ type }) => type));
    return types.size === 1 ? found[0]!.type : 'mixed';
  };
  return {
    columns: names.map((name) => ({ name, type: typeOf(name) })),
    rows: sourced.flatMap((table) => {
      const places = names.map((name) => table.columns.findIndex((column) => column.name === name));
      return table.rows.map((row) => places.map((at) => row[at] ?? null));
    }),
  };
}

function withOrigin({ columns, rows, origin }: Table & { readonly origin: string }, name: string): Table {
  const others = selectColumns(
    { columns, rows },
    columns.map((column) => column.name).filter((other) => other !== name),
  );
  return {
    columns: [{ name, type: 'string' }, ...others.columns],
    rows: others.rows.map((row) => [origin, ...row]),
  };
}
