import type { Operator } from '../../syntax/ast.js';
import { nameOf } from './naming.js';
import { expand } from './expand.js';
import type { Row, Table } from './values.js';

/**
 * Runs the body over the elements of each row separately. The row's columns that are not expanded
 * are visible, and the body's columns replace them by name. A row without elements gives none.
 */
export function appliedToElements(
  table: Table,
  operator: Operator & { readonly kind: 'mv-apply' },
  limit: number | undefined,
  body: (elements: Table) => Table,
): Table {
  const made = new Set(operator.columns.map(({ name, value }) => name?.text ?? nameOf(value)!));
  if (operator.itemIndex !== undefined) made.add(operator.itemIndex.text);
  const kept = table.columns.filter(({ name }) => !made.has(name));
  const elementsOf = (rows: readonly Row[]): Table => expand({ columns: table.columns, rows }, operator, limit);
  const ofBody = body(elementsOf([])).columns;
  const columns = [
    ...kept.map((column) => ofBody.find(({ name }) => name === column.name) ?? column),
    ...ofBody.filter(({ name }) => kept.every((column) => column.name !== name)),
  ];
  const places = columns.map(({ name }) => ({
    inBody: ofBody.findIndex((column) => column.name === name),
    inRow: table.columns.findIndex((column) => column.name === name),
  }));
  const rows = table.rows.flatMap((row): readonly Row[] => {
    const elements = elementsOf([row]);
    if (elements.rows.length === 0) return [];
    return body(elements).rows.map((result) =>
      places.map(({ inBody, inRow }) => (inBody < 0 ? row[inRow]! : result[inBody]!)),
    );
  });
  return { columns, rows };
}
