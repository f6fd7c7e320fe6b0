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
import type { StoredFields } from '@millrace/metadata/datasets/event-data';
import type { StoredDataset } from './dataset.js';
import type { DatasetFields, Place } from './fields.js';
import { fieldOfPhysical } from './field-of-physical.js';
import { nestedMembers } from './nested-members.js';
import { tableOf } from '../tables/table-of-dataset.js';

/** The APL type of each field type. */
export const scalarTypes = {
  integer: 'long',
  string: 'string',
  boolean: 'bool',
  datetime: 'datetime',
  float: 'real',
  map: 'bag',
  array: 'array',
} as const satisfies Record<FieldType, ScalarType>;

/** Order of the types of a mixed field in API responses. */
const order: readonly FieldType[] = ['integer', 'string', 'boolean', 'datetime', 'float', 'map', 'array'];

/**
 * If more fields than this exist only in the overflow column, they are columns only of queries that
 * name them.
 */
const manyRareFields = 16;

/**
 * The whole overflow column as a single value; `query/run/rare-fields.ts` splits it into fields
 * again.
 */
function together({ fields }: StoredDataset): Omit<Rest, 'fields'> {
  const without = (names: readonly string[]): Expr => overflowWithout(names.filter((name) => fields.overflow(name)));
  return {
    bag: (names) => call('toJSONString', without(names)),
    text: (names) => call('arrayStringConcat', call('mapValues', without(names)), literal('\n')),
    renamed: renameMembers,
    members: nestedMembers,
  };
}

/** An object of physical names and texts with other names for some fields. */
function renameMembers(bag: Expr, names: ReadonlyMap<string, string>): Expr {
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

/** A dataset for the query compiler: every field with its SQL per type. */
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
 * Caches the fields, so that queries do not iterate over all columns. Rare fields, possibly a
 * hundred thousand, are never iterated.
 */
const fieldCache = new WeakMap<StoredDataset, KnownFields>();

function fieldsOf(dataset: StoredDataset, mapFields: ReadonlySet<string>): KnownFields {
  const { version, columnNames, size } = dataset.fields;
  const maps = [...mapFields].join('\n');
  const before = fieldCache.get(dataset);
  if (before?.version === version && before.maps === maps) return before;
  const rare = size - columnNames.size > manyRareFields;
  const names = rare ? columnNames : dataset.fields.names();
  const fields = new Map([...names].map((name) => [name, fieldOf(dataset, name, mapFields)]));
  const rest = rare ? { fields: rareFields(dataset, mapFields), ...together(dataset) } : undefined;
  const now = { version, maps, fields, rest };
  fieldCache.set(dataset, now);
  return now;
}

function rareFields(dataset: StoredDataset, mapFields: ReadonlySet<string>): RareFields {
  const { fields } = dataset;
  const isRare = (name: string): boolean => fields.has(name) && !fields.columnNames.has(name);
  const field = (name: string): Field => fieldOf(dataset, name, mapFields);
  return {
    *ending(word) {
      if (isRare(word)) yield field(word);
      for (const name of fields.namesEndingIn(word)) if (name !== word && isRare(name)) yield field(name);
    },
    *all() {
      for (const name of fields.names()) if (isRare(name)) yield field(name);
    },
    has: isRare,
    *names() {
      for (const name of fields.names()) if (isRare(name)) yield name;
    },
    beneath: (path) => fields.overflowsBeneath(path),
  };
}

function fieldOf(dataset: StoredDataset, name: string, mapFields: ReadonlySet<string>): Field {
  const types = dataset.fields.types(name);
  const readings = order.flatMap((type) => {
    const place = types?.get(type);
    return place === undefined ? [] : [readVariant(name, type, place)];
  });
  return { name, readings, ...(mapFields.has(name) && { map: true }) };
}

/** The fields as the API lists them. */
export const storedFields = (fields: DatasetFields): StoredFields => ({
  size: fields.size,
  names: () => fields.names(),
  typeOf: (name) => {
    const types = fields.types(name);
    return types && typeNameOf(types);
  },
});

/** Types whose text a search reads: strings, arrays and objects. */
const withText: ReadonlySet<FieldType> = new Set(['string', 'array', 'map']);

/**
 * All searchable texts of a row, one per line, by the hash of their column: those of some columns
 * of the table, and all values in the overflow column. Values that may be in any column for a time,
 * or are no plain text, are under `others`.
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
      // The function requires two arguments at least.
      call('concatWithSeparator', literal('\n'), ...(texts.length < 2 ? [literal('')] : []), ...texts),
    ]),
  );
}

const columnText = (name: string, type: FieldType): Expr =>
  call('ifNull', type === 'string' ? column(name) : shownJson(column(name)), literal(''));
const linesOf = (texts: Expr): Expr => call('arrayStringConcat', texts, literal('\n'));

/** Types of one field as the API names them. */
export const typeNameOf = (types: ReadonlyMap<FieldType, unknown>): string =>
  order.filter((type) => types.has(type)).join('|');

function readVariant(field: string, type: FieldType, place: Place): Reading {
  const own = place.column ? column(physicalName(field, type)) : undefined;
  const rare = place.overflow ? fromOverflow(field, type) : undefined;
  const sql = own === undefined ? rare : rare === undefined ? own : call('coalesce', own, rare);
  if (sql === undefined) throw new Error(`field ${field} lies nowhere`);
  return { type: scalarTypes[type], sql };
}

/**
 * The overflow map stores each value under its physical name, so that a value is never read as
 * another type. Its keys are searched once: with a separate check for the key, the engine would
 * search twice, and extract the value from every map before discarding most of them.
 */
function fromOverflow(field: string, type: FieldType): Expr {
  const place = call('indexOf', call('mapKeys', column(OVERFLOW_COLUMN)), literal(physicalName(field, type)));
  return parseAs((values) => call('arrayElement', values, place), type);
}

/**
 * @param at takes the element at the found index of a list of texts; without one, it returns the
 * empty text, or null for a list that may have nulls
 */
function parseAs(at: (values: Expr) => Expr, type: FieldType): Expr {
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
