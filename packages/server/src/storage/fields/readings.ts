import {
  type Dataset as AplDataset,
  type Field,
  type RareFields,
  type Reading,
  type Rest,
  type ScalarType,
  shownJson,
} from '@millrace/apl';
import { type FieldType, OVERFLOW_COLUMN, parsePhysicalName, physicalName } from '@millrace/events';
import { call, cast, column, type Expr, integer, lambda, literal, not } from '@millrace/sql';
import type { StoredFields } from '../../datasets/event-data.js';
import type { StoredDataset } from './dataset.js';
import type { DatasetFields, Place } from './fields.js';
import { tableOf } from '../tables/table-of-dataset.js';

/** The type of the language as which each field type is read. */
export const scalarTypes = {
  integer: 'long',
  string: 'string',
  boolean: 'bool',
  datetime: 'datetime',
  float: 'real',
  map: 'bag',
  array: 'array',
} as const satisfies Record<FieldType, ScalarType>;

/** Types of a mixed field are listed in this order, as the interface joins their names. */
const order: readonly FieldType[] = ['integer', 'string', 'boolean', 'datetime', 'float', 'map', 'array'];

/**
 * If more fields than this lie only in the overflow column, they are columns only of queries that
 * name them.
 */
const manyRareFields = 16;

/**
 * The whole overflow column as one value; `query/run/rare-fields.ts` splits it into fields again.
 */
function together({ fields }: StoredDataset): Omit<Rest, 'fields'> {
  const without = (names: readonly string[]): Expr => overflowWithout(names.filter((name) => fields.overflow(name)));
  return {
    bag: (names) => call('toJSONString', without(names)),
    text: (names) => call('arrayStringConcat', call('mapValues', without(names)), literal('\n')),
    renamed,
  };
}

/** An object of physical names and texts with other names for some fields. */
function renamed(bag: Expr, names: ReadonlyMap<string, string>): Expr {
  const part = (n: 1 | 2): Expr => call('tupleElement', column('pair'), integer(n));
  const field = fieldOfPhysical(part(1));
  const list = (texts: Iterable<string>): Expr => call('array', ...[...texts].map(literal));
  const name = call('transform', field, list(names.keys()), list(names.values()), field);
  const member = call('tuple', call('concat', name, call('right', part(1), integer(2))), part(2));
  const pairs = call('JSONExtractKeysAndValues', call('ifNull', bag, literal('{}')), literal('String'));
  return call('toJSONString', cast(call('arrayMap', lambda(['pair'], member), pairs), 'Map(String, String)'));
}

function overflowWithout(names: readonly string[]): Expr {
  if (names.length === 0) return column(OVERFLOW_COLUMN);
  const taken = call('has', call('array', ...names.map(literal)), fieldOfPhysical(column('key')));
  return call('mapFilter', lambda(['key', 'value'], not(taken)), column(OVERFLOW_COLUMN));
}

/**
 * The name of the field in a physical name: everything before `#` and the one-letter mark of the
 * type.
 */
export const fieldOfPhysical = (name: Expr): Expr =>
  call('substring', name, integer(1), call('minus', call('length', name), integer(2)));

/** A dataset as the language sees it: every field with the ways to read it. */
export function aplDataset(
  name: string,
  dataset: StoredDataset,
  mapFields: ReadonlySet<string>,
  virtualFields: ReadonlyMap<string, string>,
): AplDataset {
  const { fields, rest } = fieldsOf(dataset, mapFields);
  return { name, ...tableOf(dataset.id), fields, virtualFields, ...(rest !== undefined && { rest }) };
}

interface KnownFields {
  readonly version: number;
  readonly maps: string;
  readonly fields: ReadonlyMap<string, Field>;
  readonly rest: Rest | undefined;
}

/**
 * Keeps columns from being gone through for every query. Rare fields, of which there may be a
 * hundred thousand, never are.
 */
const known = new WeakMap<StoredDataset, KnownFields>();

function fieldsOf(dataset: StoredDataset, mapFields: ReadonlySet<string>): KnownFields {
  const { version, withColumn, size } = dataset.fields;
  const maps = [...mapFields].join('\n');
  const before = known.get(dataset);
  if (before?.version === version && before.maps === maps) return before;
  const rare = size - withColumn.size > manyRareFields;
  const names = rare ? withColumn : dataset.fields.names();
  const fields = new Map([...names].map((name) => [name, fieldOf(dataset, name, mapFields)]));
  const rest = rare ? { fields: rareFields(dataset, mapFields), ...together(dataset) } : undefined;
  const now = { version, maps, fields, rest };
  known.set(dataset, now);
  return now;
}

function rareFields(dataset: StoredDataset, mapFields: ReadonlySet<string>): RareFields {
  const { fields } = dataset;
  const isRare = (name: string): boolean => fields.has(name) && !fields.withColumn.has(name);
  const field = (name: string): Field => fieldOf(dataset, name, mapFields);
  return {
    *ending(word) {
      if (isRare(word)) yield field(word);
      for (const name of fields.ending(word)) if (name !== word && isRare(name)) yield field(name);
    },
    *all() {
      for (const name of fields.names()) if (isRare(name)) yield field(name);
    },
    has: isRare,
    *names() {
      for (const name of fields.names()) if (isRare(name)) yield name;
    },
  };
}

function fieldOf(dataset: StoredDataset, name: string, mapFields: ReadonlySet<string>): Field {
  const types = dataset.fields.types(name);
  const readings = order.flatMap((type) => {
    const place = types?.get(type);
    return place === undefined ? [] : [reading(name, type, place)];
  });
  return { name, readings, ...(mapFields.has(name) && { map: true }) };
}

/** The fields as the interface lists them. */
export const storedFields = (fields: DatasetFields): StoredFields => ({
  size: fields.size,
  names: () => fields.names(),
  typeOf: (name) => {
    const types = fields.types(name);
    return types && typeNameOf(types);
  },
});

/** Texts, arrays and objects, of which a search looks at the text. */
const withText: ReadonlySet<FieldType> = new Set(['string', 'array', 'map']);

/**
 * All texts of a row that a search looks at, one per line: those of some columns of the table, and
 * all values in the overflow column. They are apart by a number that stands for their column;
 * what may lie elsewhere for a time, or is no plain text, has the number `others`.
 */
export function textsOfRow(
  columns: readonly string[],
  overflows: boolean,
  { placeOf, others }: { readonly placeOf: (column: string) => number; readonly others: number },
): ReadonlyMap<number, Expr> {
  const lines = new Map<number, Expr[]>();
  const add = (place: number, ...texts: readonly Expr[]): void =>
    void lines.set(place, [...(lines.get(place) ?? []), ...texts]);
  for (const name of columns) {
    const parsed = parsePhysicalName(name);
    if (parsed === undefined || !withText.has(parsed.type)) continue;
    add(parsed.type === 'string' ? placeOf(name) : others, columnText(name, parsed.type));
  }
  const values = call('mapValues', column(OVERFLOW_COLUMN));
  const shown = call('arrayMap', lambda(['value'], shownJson(column('value'))), values);
  if (overflows) add(others, linesOf(values), linesOf(shown));
  return new Map(
    [...lines].map(([place, texts]) => [
      place,
      // The function wants two texts at least.
      call('concatWithSeparator', literal('\n'), ...(texts.length < 2 ? [literal('')] : []), ...texts),
    ]),
  );
}

const columnText = (name: string, type: FieldType): Expr =>
  call('ifNull', type === 'string' ? column(name) : shownJson(column(name)), literal(''));
const linesOf = (texts: Expr): Expr => call('arrayStringConcat', texts, literal('\n'));

/** Types of one field as the interface names them. */
export const typeNameOf = (types: ReadonlyMap<FieldType, unknown>): string =>
  order.filter((type) => types.has(type)).join('|');

function reading(field: string, type: FieldType, place: Place): Reading {
  const own = place.column ? column(physicalName(field, type)) : undefined;
  const rare = place.overflow ? fromOverflow(field, type) : undefined;
  const sql = own === undefined ? rare : rare === undefined ? own : call('coalesce', own, rare);
  if (sql === undefined) throw new Error(`field ${field} lies nowhere`);
  return { type: scalarTypes[type], sql };
}

/**
 * The overflow map holds each value under its physical name, so that a value is never read as
 * another type. Its keys are searched once: asked first whether the map contains a key and then for
 * the value, the engine would search twice, and take the value out of every map before discarding
 * most of them.
 */
function fromOverflow(field: string, type: FieldType): Expr {
  const place = call('indexOf', call('mapKeys', column(OVERFLOW_COLUMN)), literal(physicalName(field, type)));
  return parsed((values) => call('arrayElement', values, place), type);
}

/**
 * @param at takes the element at the place found in a list of texts; where there is none, it gives
 * the empty text, or null for a list that may have nulls
 */
function parsed(at: (values: Expr) => Expr, type: FieldType): Expr {
  const texts = call('mapValues', column(OVERFLOW_COLUMN));
  const orNull = cast(texts, 'Array(Nullable(String))');
  switch (type) {
    case 'integer':
      return call('toInt64OrNull', at(texts));
    case 'float':
      return call('toFloat64OrNull', at(texts));
    case 'boolean':
      return call('equals', at(orNull), literal('true'));
    case 'datetime':
      return call('parseDateTime64BestEffortOrNull', at(texts), integer(9), literal('UTC'));
    case 'string':
    case 'array':
    case 'map':
      return at(orNull);
  }
}
