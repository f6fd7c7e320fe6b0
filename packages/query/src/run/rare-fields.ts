import { type OutputColumn, type RestOutput, typeNameOf } from '@millrace/apl';
import { type FieldType, parsePhysicalName, physicalName } from '@millrace/events';
import { EngineError } from '@millrace/engine';
import { call, column, type Expr, integer, lambda, literal } from '@millrace/sql';
import { Yielder, runYielding } from '@millrace/runtime/async/yield';
import { sortYielding } from '@millrace/runtime/async/sort-yielding';
import { findValues, convertColumn, isNullAt, textAt, valuesOf, type ValueSpans } from './columns.js';
import { fieldOfPhysical } from '@millrace/storage/fields/field-of-physical';
import { scalarTypes } from '@millrace/storage/fields/variants';
import type { EngineTable } from './outcome.js';

interface RareOptions {
  /** The description of an aggregate over them, without the field itself. */
  readonly agg?: RestOutput['agg'];
  /** Maximum bytes of the result. */
  readonly max: number;
}

/**
 * Converts rare fields from one object per event (physical name → text) to columns: only fields
 * that the events of this result have. A field that is rare in one dataset of a union may already
 * have a column because of another.
 * @throws EngineError `result-limit`: a few events with different fields make a wide, mostly empty
 * table
 */
export async function mergeRareFields(
  table: EngineTable,
  rest: Uint8Array,
  { agg, max }: RareOptions,
): Promise<EngineTable> {
  const yielder = new Yielder();
  const found = new Map<string, FoundField>();
  const objects = await runYielding(spansOfObjects(rest, table.rows), yielder);
  let bytes = table.columns.reduce((sum, { byteLength }) => sum + byteLength, 0);
  for (let row = 0; row < table.rows; row++) {
    for await (const some of valuesInPieces(objects, row, yielder))
      for (const { name, type, json } of some) {
        let field = found.get(name);
        if (field === undefined) {
          found.set(name, (field = { types: new Set(), values: [] }));
          bytes += table.rows * cellBytes;
        }
        field.types.add(type);
        field.values.push({ row, json });
        bytes += json.length;
        // Counted before anything is made.
        if (bytes > max) throw new EngineError('result-limit');
      }
  }
  if (found.size === 0) return table;
  const present: AddedColumn[] = [];
  for (const [i, output] of table.output.entries()) {
    await yielder.maybeYield();
    const column = table.columns[i]!;
    const rare = found.get(output.name);
    found.delete(output.name);
    present.push(rare === undefined ? { output, column } : withColumn(output, column, rare, table.rows));
  }
  const added: AddedColumn[] = [];
  for (const [name, { types, values }] of found) {
    await yielder.maybeYield();
    added.push({
      output: {
        ...addTypes({ name, alias: name, types: [], typeName: '', json: true }, types),
        ...(agg && { agg: { ...agg, fields: [...(agg.fields ?? []), name] } }),
      },
      column: columnOf(values, table.rows),
    });
  }
  return inOrder(table, present, added);
}

/**
 * A column completed with the values of a rare field of the same name, in rows where the column is
 * null.
 */
function withColumn(
  output: OutputColumn,
  column: Uint8Array,
  { types, values }: FoundField,
  rows: number,
): AddedColumn {
  const spans = valuesOf(column, rows);
  const rare = new Map(values.map(({ row, json }) => [row, json]));
  const cells = Array.from({ length: rows }, (_, row) =>
    isNullAt(spans, row) ? (rare.get(row) ?? 'null') : textAt(spans, row),
  );
  return { output: addTypes(output, types), column: Buffer.from(`[${cells.join(',')}]`) };
}

const emptyCell = 'null,';

/** Weight of a cell, empty or not: every step of a response visits each cell again. */
const cellBytes = 16;

/** A column that is null except for these values. */
function columnOf(values: FoundField['values'], rows: number): Uint8Array {
  let text = '[';
  let next = 0;
  // The last of several types of a field in one row is the one that counts.
  for (const [i, { row, json }] of values.entries()) {
    if (values[i + 1]?.row === row) continue;
    text += `${emptyCell.repeat(row - next)}${json},`;
    next = row + 1;
  }
  text += emptyCell.repeat(rows - next);
  return Buffer.from(`${text.slice(0, -1)}]`);
}

/** A rare field of a result: its values as JSON, in the order of the rows that have it. */
interface FoundField {
  readonly types: Set<FieldType>;
  readonly values: { readonly row: number; readonly json: string }[];
}

export interface RareValue {
  readonly name: string;
  readonly type: FieldType;
  /** The value as JSON. */
  readonly json: string;
}

/** Where the objects of a column of JSON texts lie. */
function* spansOfObjects(column: Uint8Array, rows: number): Generator<void, ValueSpans> {
  return yield* findValues(yield* convertColumn(column, 'json'), rows);
}

/** Objects up to this length are read in one go. */
export const shortObject = 32 * 1024;
/** The shortest member is `"a#i":""` with a comma. */
const minPropertyLength = 9;
const membersInPiece = 200;

/**
 * The rare fields of one event, up to a hundred thousand. In a union, rows of a dataset without
 * rare fields have no object.
 */
async function* valuesInPieces(
  objects: ValueSpans,
  row: number,
  yielder: Yielder,
): AsyncGenerator<readonly RareValue[]> {
  await yielder.maybeYield();
  if (isNullAt(objects, row)) return;
  const object = objects.column.subarray(objects.bounds[2 * row], objects.bounds[2 * row + 1]);
  if (object.length <= shortObject) return yield valuesIn(textAt(objects, row));
  const members = await runYielding(findValues(object, Math.ceil(object.length / minPropertyLength)), yielder);
  for (let from = 0; from < members.count; from += membersInPiece) {
    await yielder.maybeYield();
    const last = Math.min(from + membersInPiece, members.count) - 1;
    const some = object.subarray(members.bounds[2 * from], members.bounds[2 * last + 1]);
    yield valuesIn(`{${Buffer.from(some).toString('utf8')}}`);
  }
}

/**
 * The rare fields of one event.
 * @param cell the engine's output: the text of a JSON string that contains the object
 */
export function rareValues(cell: string): readonly RareValue[] {
  const object: unknown = JSON.parse(cell);
  // In a union, rows of a dataset without rare fields have no object.
  return typeof object === 'string' ? valuesIn(object) : [];
}

/** `rareValues` of a long cell, in chunks with yields in between. */
export async function* rareValuesInPieces(cell: Uint8Array, yielder: Yielder): AsyncGenerator<readonly RareValue[]> {
  const column = Buffer.concat([Buffer.from('['), cell, Buffer.from(']')]);
  yield* valuesInPieces(await runYielding(spansOfObjects(column, 1), yielder), 0, yielder);
}

/** @param object physical names and texts, as JSON */
const valuesIn = (object: string): readonly RareValue[] =>
  Object.entries(JSON.parse(object) as Readonly<Record<string, string>>).flatMap(([physical, text]) => {
    const parsed = parsePhysicalName(physical);
    return parsed === undefined ? [] : [{ name: parsed.field, type: parsed.type, json: jsonOf(parsed.type, text) }];
  });

/**
 * `rareValues` in SQL: an object of names and values as JSON text, null where there are none.
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

interface AddedColumn {
  readonly output: OutputColumn;
  readonly column: Uint8Array;
}

/**
 * Fields of events are sorted by name; if a query put them in another order, rare ones come last.
 */
async function inOrder(
  table: EngineTable,
  present: readonly AddedColumn[],
  added: readonly AddedColumn[],
): Promise<EngineTable> {
  const first = present.filter(({ output }) => output.name === '_sysTime' || output.name === '_time');
  const others = present.filter((column) => !first.includes(column));
  const isSorted = others.every(({ output }, i) => i === 0 || others[i - 1]!.output.name < output.name);
  const all = isSorted ? [...first, ...(await byName([...others, ...added]))] : [...present, ...(await byName(added))];
  return { ...table, output: all.map(({ output }) => output), columns: all.map(({ column }) => column) };
}

/** Sorted by name; the last column of each name wins. */
async function byName(columns: readonly AddedColumn[]): Promise<readonly AddedColumn[]> {
  const named = new Map(columns.map((column) => [column.output.name, column]));
  return (await sortYielding(named.keys())).map((name) => named.get(name)!);
}

function addTypes(output: OutputColumn, added: ReadonlySet<FieldType>): OutputColumn {
  const types = [...new Set([...output.types, ...[...added].map((type) => scalarTypes[type])])];
  return { ...output, types, typeName: typeNameOf(types) };
}

function jsonOf(type: FieldType, text: string): string {
  return type === 'string' || type === 'datetime' ? JSON.stringify(text) : text;
}
