import { type OutputColumn, type RestOutput, typeNameOf } from '@millrace/apl';
import { type FieldType, parsePhysicalName, physicalName } from '@millrace/events';
import { EngineError } from '@millrace/engine';
import { call, column, type Expr, integer, lambda, literal } from '@millrace/sql';
import { Breath, taken } from '../../async/breath.js';
import { sorted } from '../../async/sorted.js';
import { findingValues, formingColumn, isNullAt, textAt, valuesOf, type ValueSpans } from './columns.js';
import { fieldOfPhysical, scalarTypes } from '../../storage/fields/readings.js';
import type { AnswerTable } from './execute.js';

interface RareOptions {
  /** How an aggregate of them is described, but for the field itself. */
  readonly agg?: RestOutput['agg'];
  /** Most bytes that the answer may have. */
  readonly most: number;
}

/**
 * Rare fields arrive as one object per event (physical name → text) and leave as columns: those
 * that the events of this answer have, and no others. A field that is rare in one dataset of a
 * union may already have a column because of another.
 * @throws EngineError `result-limit`: a few events with many fields each become a wide table, most
 * of it empty
 */
export async function withRareFields(
  table: AnswerTable,
  rest: Uint8Array,
  { agg, most }: RareOptions,
): Promise<AnswerTable> {
  const breath = new Breath();
  const found = new Map<string, Found>();
  const objects = await taken(spansOfObjects(rest, table.rows), breath);
  let bytes = table.columns.reduce((sum, { byteLength }) => sum + byteLength, 0);
  for (let row = 0; row < table.rows; row++) {
    for await (const some of valuesInPieces(objects, row, breath))
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
        if (bytes > most) throw new EngineError('result-limit');
      }
  }
  if (found.size === 0) return table;
  const present: Added[] = [];
  for (const [i, output] of table.output.entries()) {
    await breath.take();
    const column = table.columns[i]!;
    const rare = found.get(output.name);
    found.delete(output.name);
    present.push(rare === undefined ? { output, column } : beside(output, column, rare, table.rows));
  }
  const added: Added[] = [];
  for (const [name, { types, values }] of found) {
    await breath.take();
    added.push({
      output: {
        ...withTypes({ name, alias: name, types: [], typeName: '', json: true }, types),
        ...(agg && { agg: { ...agg, fields: [...(agg.fields ?? []), name] } }),
      },
      column: columnOf(values, table.rows),
    });
  }
  return inOrder(table, present, added);
}

/**
 * A column with the rare values of a field of the same name in the rows where the column has none.
 */
function beside(output: OutputColumn, column: Uint8Array, { types, values }: Found, rows: number): Added {
  const spans = valuesOf(column, rows);
  const rare = new Map(values.map(({ row, json }) => [row, json]));
  const cells = Array.from({ length: rows }, (_, row) =>
    isNullAt(spans, row) ? (rare.get(row) ?? 'null') : textAt(spans, row),
  );
  return { output: withTypes(output, types), column: Buffer.from(`[${cells.join(',')}]`) };
}

const emptyCell = 'null,';

/**
 * What a cell counts, empty or not: it is looked at once more for each thing that is done to an
 * answer.
 */
const cellBytes = 16;

/** A column that is null but for these values. */
function columnOf(values: Found['values'], rows: number): Uint8Array {
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

/** A rare field of an answer: its values as JSON, in the order of the rows that have it. */
interface Found {
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
  return yield* findingValues(yield* formingColumn(column, 'json'), rows);
}

/** Objects up to this length are read in one go. */
export const shortObject = 32 * 1024;
/** The shortest member is `"a#i":""` with a comma. */
const leastMember = 9;
const membersInPiece = 200;

/**
 * The rare fields of one event, of which there may be a hundred thousand. In a union, rows of a
 * dataset without rare fields have no object.
 */
async function* valuesInPieces(objects: ValueSpans, row: number, breath: Breath): AsyncGenerator<readonly RareValue[]> {
  await breath.take();
  if (isNullAt(objects, row)) return;
  const object = objects.column.subarray(objects.bounds[2 * row], objects.bounds[2 * row + 1]);
  if (object.length <= shortObject) return yield valuesIn(textAt(objects, row));
  const members = await taken(findingValues(object, Math.ceil(object.length / leastMember)), breath);
  for (let from = 0; from < members.count; from += membersInPiece) {
    await breath.take();
    const last = Math.min(from + membersInPiece, members.count) - 1;
    const some = object.subarray(members.bounds[2 * from], members.bounds[2 * last + 1]);
    yield valuesIn(`{${Buffer.from(some).toString('utf8')}}`);
  }
}

/**
 * The rare fields of one event.
 * @param cell as the engine answers: the text of a JSON string that holds the object
 */
export function rareValues(cell: string): readonly RareValue[] {
  const object: unknown = JSON.parse(cell);
  // In a union, rows of a dataset without rare fields have no object.
  return typeof object === 'string' ? valuesIn(object) : [];
}

/** The same of a long cell, in pieces with a breath between them. */
export async function* rareValuesInPieces(cell: Uint8Array, breath: Breath): AsyncGenerator<readonly RareValue[]> {
  const column = Buffer.concat([Buffer.from('['), cell, Buffer.from(']')]);
  yield* valuesInPieces(await taken(spansOfObjects(column, 1), breath), 0, breath);
}

/** @param object physical names and texts, as JSON */
const valuesIn = (object: string): readonly RareValue[] =>
  Object.entries(JSON.parse(object) as Readonly<Record<string, string>>).flatMap(([physical, text]) => {
    const parsed = parsePhysicalName(physical);
    return parsed === undefined ? [] : [{ name: parsed.field, type: parsed.type, json: jsonOf(parsed.type, text) }];
  });

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

/**
 * Fields of events are sorted by name; if a query put them in another order, rare ones come last.
 */
async function inOrder(table: AnswerTable, present: readonly Added[], added: readonly Added[]): Promise<AnswerTable> {
  const first = present.filter(({ output }) => output.name === '_sysTime' || output.name === '_time');
  const others = present.filter((column) => !first.includes(column));
  const isSorted = others.every(({ output }, i) => i === 0 || others[i - 1]!.output.name < output.name);
  const all = isSorted ? [...first, ...(await byName([...others, ...added]))] : [...present, ...(await byName(added))];
  return { ...table, output: all.map(({ output }) => output), columns: all.map(({ column }) => column) };
}

/** Sorted by name, of which each is there once. */
async function byName(columns: readonly Added[]): Promise<readonly Added[]> {
  const named = new Map(columns.map((column) => [column.output.name, column]));
  return (await sorted(named.keys())).map((name) => named.get(name)!);
}

function withTypes(output: OutputColumn, added: ReadonlySet<FieldType>): OutputColumn {
  const types = [...new Set([...output.types, ...[...added].map((type) => scalarTypes[type])])];
  return { ...output, types, typeName: typeNameOf(types) };
}

function jsonOf(type: FieldType, text: string): string {
  return type === 'string' || type === 'datetime' ? JSON.stringify(text) : text;
}
