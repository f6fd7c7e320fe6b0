import type { TableSource } from '../../syntax/ast.js';
import { scalarOf } from './scalar.js';
import type { Row, Table, Value } from './values.js';

/** A row for each value from the start to the end, both included. */
export function generateRange({ name, from, to, step }: TableSource & { readonly kind: 'range' }): Table {
  const start = scalarOf(from, []);
  const [first, last, by] = [start, scalarOf(to, []), scalarOf(step, [])].map((each) => each.at([[]], 0) as bigint);
  const rows: Row[] = [];
  for (let value = first!; by! > 0n ? value <= last! : value >= last!; value += by!) rows.push([value satisfies Value]);
  return { columns: [{ name: name.text, type: start.type }], rows };
}
