import { type OutputColumn, type RestOutput, typeNameOf } from '@millrace/apl';
import { type FieldType, parsePhysicalName, physicalName } from '@millrace/events';
import { call, column, type Expr, integer, lambda, literal } from '@millrace/sql';
import { isNullAt, textAt, valuesOf } from './columns.js';
import { fieldOfPhysical, scalarTypes } from '../../storage/fields/readings.js';
import type { AnswerTable } from './execute.js';

/**
 * Rare fields arrive as one object per event (physical name → text) and leave as columns: those that the events of this answer
 * have, and no others. A field that is rare in one dataset of a union may already have a column because of another.
 * @param agg how an aggregate of them is described, but for the field itself
 */
export function withRareFields(table: AnswerTable, rest: Uint8Array, agg?: RestOutput['agg']): AnswerTable {
  const found = new Map<string, Found>();
  const objects = valuesOf(rest, table.rows);
  for (let row = 0; row < table.rows; row++) {
    for (const { name, type, json } of rareValues(textAt(objects, row))) {
      const field = found.get(name) ?? { types: new Set(), values: [] };
      field.types.add(type);
      field.values[row] = json;
      found.set(name, field);
    }
  }
  if (found.size === 0) return table;
  const columnOf = (values: Found['values'], other: (row: number) => string): Uint8Array =>
    Buffer.from(`[${Array.from({ length: table.rows }, (_, row) => values[row] ?? other(row)).join(',')}]`);
  const present = table.output.map((output, i): Added => {
    const column = table.columns[i]!;
    const rare = found.get(output.name);
    found.delete(output.name);
    if (rare === undefined) return { output, column };
    const spans = valuesOf(column, table.rows);
    return {
      output: withTypes(output, rare.types),
      column: columnOf(
        rare.values.map((value, row) => (isNullAt(spans, row) ? value : undefined)),
        (row) => textAt(spans, row),
      ),
    };
  });
  const added = [...found].map(([name, { types, values }]): Added => ({
    output: {
      ...withTypes({ name, alias: name, types: [], typeName: '', json: true }, types),
      ...(agg && { agg: { ...agg, fields: [...(agg.fields ?? []), name] } }),
    },
    column: columnOf(values, () => 'null'),
  }));
  return inOrder(table, present, added);
}

/** A rare field of an answer: its values by row, with holes for rows that do not have it among their rare fields. */
interface Found {
  readonly types: Set<FieldType>;
  readonly values: (string | undefined)[];
}

interface RareValue {
  readonly name: string;
  readonly type: FieldType;
  /** The value as JSON. */
  readonly json: string;
}

/**
 * The rare fields of one event.
 * @param cell as the engine answers: the text of a JSON string that holds the object
 */
export function rareValues(cell: string): readonly RareValue[] {
  const object: unknown = JSON.parse(cell);
  // In a union, rows of a dataset without rare fields have no object.
  if (typeof object !== 'string') return [];
  return Object.entries(JSON.parse(object) as Readonly<Record<string, string>>).flatMap(([physical, text]) => {
    const parsed = parsePhysicalName(physical);
    return parsed === undefined ? [] : [{ name: parsed.field, type: parsed.type, json: jsonOf(parsed.type, text) }];
  });
}

/**
 * The same in SQL: an object of names and values as JSON text, null where there are none.
 * @param bag the object of physical names and texts
 */
export function rareObject(bag: Expr): Expr {
  const part = (n: 1 | 2): Expr => call('tupleElement', column('pair'), integer(n));
  const isText = call('in', call('right', part(1), integer(2)), call('tuple', ...textMarks.map(literal)));
  const value = call('if', isText, call('toJSONString', part(2)), part(2));
  const pairs = call('JSONExtractKeysAndValues', call('ifNull', bag, literal('{}')), literal('String'));
  const member = call('concat', call('toJSONString', fieldOfPhysical(part(1))), literal(':'), value);
  const members = call('arrayMap', lambda(['pair'], member), pairs);
  const text = call('concat', literal('{'), call('arrayStringConcat', members, literal(',')), literal('}'));
  return call('nullIf', text, literal('{}'));
}

const textMarks = (['string', 'datetime'] as const).map((type) => physicalName('', type));

interface Added {
  readonly output: OutputColumn;
  readonly column: Uint8Array;
}

/** Fields of events are sorted by name; if a query put them in another order, rare ones come last. */
function inOrder(table: AnswerTable, present: readonly Added[], added: readonly Added[]): AnswerTable {
  const byName = (a: Added, b: Added): number => (a.output.name < b.output.name ? -1 : 1);
  const first = present.filter(({ output }) => output.name === '_sysTime' || output.name === '_time');
  const others = present.filter((column) => !first.includes(column));
  const sorted = others.every((column, i) => i === 0 || byName(others[i - 1]!, column) < 0);
  const all = sorted ? [...first, ...[...others, ...added].toSorted(byName)] : [...present, ...added.toSorted(byName)];
  return { ...table, output: all.map(({ output }) => output), columns: all.map(({ column }) => column) };
}

function withTypes(output: OutputColumn, added: ReadonlySet<FieldType>): OutputColumn {
  const types = [...new Set([...output.types, ...[...added].map((type) => scalarTypes[type])])];
  return { ...output, types, typeName: typeNameOf(types) };
}

function jsonOf(type: FieldType, text: string): string {
  return type === 'string' || type === 'datetime' ? JSON.stringify(text) : text;
}
