import { type OutputColumn, resultTypeName } from '@millrace/apl';
import { type FieldType, parsePhysicalName } from '@millrace/events';
import { textAt, valuesOf } from './columns.js';
import type { AnswerTable } from './execute.js';

/**
 * Rare fields come as one object an event (physical name → text) and leave as columns: those that the events of this answer
 * have, and no others.
 */
export function withRareFields(table: AnswerTable, rest: Uint8Array): AnswerTable {
  const shown = new Set(table.output.map(({ name }) => name));
  const columns = new Map<string, { readonly types: Set<FieldType>; readonly values: string[] }>();
  const objects = valuesOf(rest, table.rows);
  for (let row = 0; row < table.rows; row++) {
    const cell: unknown = JSON.parse(textAt(objects, row));
    // A row of another dataset of a union has none.
    if (typeof cell !== 'string') continue;
    for (const [physical, text] of Object.entries(JSON.parse(cell) as Readonly<Record<string, string>>)) {
      const parsed = parsePhysicalName(physical);
      if (parsed === undefined || shown.has(parsed.field)) continue;
      const column = columns.get(parsed.field) ?? { types: new Set(), values: [] };
      column.types.add(parsed.type);
      column.values[row] = jsonOf(parsed.type, text);
      columns.set(parsed.field, column);
    }
  }
  const added = [...columns].map(([name, { types, values }]) => ({
    output: outputOf(name, types),
    column: Buffer.from(`[${Array.from({ length: table.rows }, (_, row) => values[row] ?? 'null').join(',')}]`),
  }));
  return inOrder(table, added);
}

interface Added {
  readonly output: OutputColumn;
  readonly column: Uint8Array;
}

/** Fields of events are listed by name; if a query put them in another order, rare ones follow. */
function inOrder(table: AnswerTable, added: readonly Added[]): AnswerTable {
  const present = table.output.map((output, i) => ({ output, column: table.columns[i]! }));
  const byName = (a: Added, b: Added): number => (a.output.name < b.output.name ? -1 : 1);
  const first = present.filter(({ output }) => output.name === '_sysTime' || output.name === '_time');
  const others = present.filter((column) => !first.includes(column));
  const sorted = others.every((column, i) => i === 0 || byName(others[i - 1]!, column) < 0);
  const all = sorted ? [...first, ...[...others, ...added].toSorted(byName)] : [...present, ...added.toSorted(byName)];
  return { ...table, output: all.map(({ output }) => output), columns: all.map(({ column }) => column) };
}

/** In the order in which types of a mixed field are listed. */
const resultTypes = {
  integer: 'long',
  string: 'string',
  boolean: 'bool',
  datetime: 'datetime',
  float: 'real',
  map: 'bag',
  array: 'array',
} as const;

function outputOf(name: string, types: ReadonlySet<FieldType>): OutputColumn {
  const listed = (Object.keys(resultTypes) as FieldType[])
    .filter((type) => types.has(type))
    .map((type) => resultTypes[type]);
  const typeName = listed.map((type) => resultTypeName[type]).join('|');
  return { name, alias: name, types: listed, typeName, json: true };
}

function jsonOf(type: FieldType, text: string): string {
  return type === 'string' || type === 'datetime' ? JSON.stringify(text) : text;
}
