import { textAt, valuesOf } from '@millrace/query/run/columns';
import type { EngineTable } from '@millrace/query/run/outcome';

/** Rows of a result as JSON texts, no more than an answer shows. */
export interface Rows {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  /** JSON text by row and column. */
  readonly cells: readonly (readonly string[])[];
}

/** The first rows of a table. */
export function firstRows({ output, columns, rows }: EngineTable, max: number): Rows {
  const count = Math.min(rows, max);
  const spans = columns.map((column) => valuesOf(column, count));
  return {
    columns: output.map(({ name, typeName }) => ({ name, type: typeName })),
    cells: Array.from({ length: count }, (_, row) => spans.map((values) => textAt(values, row))),
  };
}

/** Rows as records of JavaScript values, for tools that compute with them. */
export const recordsOf = ({ columns, cells }: Rows): readonly Readonly<Record<string, unknown>>[] =>
  cells.map((row) => Object.fromEntries(columns.map(({ name }, i) => [name, JSON.parse(row[i]!) as unknown])));

/** Rows from records of JavaScript values. */
export function rowsFrom(columns: readonly string[], records: readonly Readonly<Record<string, unknown>>[]): Rows {
  return {
    columns: columns.map((name) => ({ name, type: '' })),
    cells: records.map((record) => columns.map((name) => JSON.stringify(record[name] ?? null))),
  };
}
