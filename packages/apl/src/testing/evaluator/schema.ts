import type { Table } from './values.js';

/** The columns as rows, with the names of their types in a query. */
export const schemaOf = ({ columns }: Table): Table => ({
  columns: [
    { name: 'ColumnName', type: 'string' },
    { name: 'ColumnType', type: 'string' },
    { name: 'ColumnOrdinal', type: 'long' },
  ],
  rows: columns.map(({ name, type }, i) => [name, type, BigInt(i)]),
});
