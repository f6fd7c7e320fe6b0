import type { Operator } from '../../syntax/ast.js';
import { nameOf } from './naming.js';
import { convert } from './conversions.js';
import { callOf } from './functions.js';
import { scalarOf } from './scalar.js';
import type { Scalar } from './scalar.js';
import { isBag, isList } from './values.js';
import type { Column, Row, Table, Value } from './values.js';

type Expansion = Pick<Operator & { readonly kind: 'mv-expand' }, 'bag' | 'columns' | 'itemIndex'>;

/**
 * A row for each element: the elements of an array, key-value pairs of an object, or any other
 * value itself. Several columns are expanded in step. An empty array gives no row, null gives one
 * row with null.
 */
export function expand(table: Table, operator: Expansion, limit?: number): Table {
  const sources = operator.columns.map(({ name, value, to }) => ({
    column: { name: name?.text ?? nameOf(value)!, type: to ?? 'dynamic' } satisfies Column,
    scalar: scalarOf(value, table.columns),
  }));
  const index: readonly Column[] =
    operator.itemIndex === undefined ? [] : [{ name: operator.itemIndex.text, type: 'long' }];
  const added = [...sources.map(({ column }) => column), ...index];
  const columns = [
    ...table.columns.map((column) => added.find(({ name }) => name === column.name) ?? column),
    ...added.filter(({ name }) => table.columns.every((column) => column.name !== name)),
  ];
  const rows = table.rows.flatMap((row, i) => {
    const lists = sources.map(({ scalar }) => elementsOf(scalar.at(table.rows, i), operator.bag));
    const count = Math.min(limit ?? Infinity, Math.max(...lists.map((list) => list.length)));
    return Array.from({ length: count }, (_, k): Row => {
      const cells = sources.map(({ column }, s) => {
        const element = lists[s]![k] ?? null;
        const scalar: Scalar = { type: 'dynamic', at: () => element };
        return toType(scalar, column.type).at([], 0);
      });
      const values = [...cells, ...index.map(() => BigInt(k))];
      return columns.map(({ name }) => {
        const at = added.findIndex((column) => column.name === name);
        return at < 0 ? row[table.columns.findIndex((column) => column.name === name)]! : values[at]!;
      });
    });
  });
  return { columns, rows };
}

function elementsOf(value: Value, bag: boolean): readonly Value[] {
  if (isList(value)) return value;
  if (!isBag(value)) return [value];
  return Object.entries(value).map(([key, member]): Value => (bag ? { [key]: member } : [key, member]));
}

/** The result of the type's conversion function; null for null. */
const toType = (scalar: Scalar, type: Column['type']): Scalar =>
  type === 'dynamic' || type === 'string' ? convert(scalar, type) : callOf(`to${type}`, [scalar]);
