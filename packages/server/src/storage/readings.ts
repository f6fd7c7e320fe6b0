import type { Dataset as AplDataset, Field, Reading, ScalarType } from '@millrace/apl';
import { type FieldType, OVERFLOW_COLUMN, physicalName } from '@millrace/events';
import { call, cast, column, type Expr, integer, literal } from '@millrace/sql';
import type { StoredField } from '../event-data.js';
import type { StoredDataset } from './dataset.js';
import type { Place } from './fields.js';
import { tableOf } from './table.js';

/** How each field type reads in the language. */
const scalarTypes: Readonly<Record<FieldType, ScalarType>> = {
  integer: 'long',
  string: 'string',
  boolean: 'bool',
  datetime: 'datetime',
  float: 'real',
  map: 'bag',
  array: 'array',
};

/** Types of a mixed field are listed in this order, as the interface joins their names. */
const order: readonly FieldType[] = ['integer', 'string', 'boolean', 'datetime', 'float', 'map', 'array'];

/** A dataset as the language sees it: every field with the ways to read it. */
export function aplDataset(
  name: string,
  dataset: StoredDataset,
  mapFields: ReadonlySet<string>,
  virtualFields: ReadonlyMap<string, string>,
): AplDataset {
  const fields = new Map<string, Field>();
  for (const [field, types] of dataset.fields.entries()) {
    const readings = order.flatMap((type) => {
      const place = types.get(type);
      return place === undefined ? [] : [reading(field, type, place)];
    });
    fields.set(field, { name: field, readings, ...(mapFields.has(field) && { map: true }) });
  }
  return { name, ...tableOf(dataset.id), fields, virtualFields };
}

/** The fields as the interface lists them, by name; types of a mixed one joined by `|`. */
export function storedFields(dataset: StoredDataset): readonly StoredField[] {
  return [...dataset.fields.entries()]
    .map(([name, types]) => ({ name, type: order.filter((type) => types.has(type)).join('|') }))
    .toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

function reading(field: string, type: FieldType, place: Place): Reading {
  const own = place.column ? column(physicalName(field, type)) : undefined;
  const rare = place.overflow ? fromOverflow(field, type) : undefined;
  const sql = own === undefined ? rare : rare === undefined ? own : call('coalesce', own, rare);
  if (sql === undefined) throw new Error(`field ${field} lies nowhere`);
  return { type: scalarTypes[type], sql };
}

/** The overflow map holds each value under its physical name, so that a value never answers for another type. */
function fromOverflow(field: string, type: FieldType): Expr {
  const key = literal(physicalName(field, type));
  const text = call('arrayElement', column(OVERFLOW_COLUMN), key);
  const present = call('mapContains', column(OVERFLOW_COLUMN), key);
  return call('if', present, parsed(text, type), literal(null));
}

function parsed(text: Expr, type: FieldType): Expr {
  switch (type) {
    case 'integer':
      return call('toInt64OrNull', text);
    case 'float':
      return call('toFloat64OrNull', text);
    case 'boolean':
      return call('equals', text, literal('true'));
    case 'datetime':
      return call('parseDateTime64BestEffortOrNull', text, integer(9), literal('UTC'));
    case 'string':
    case 'array':
    case 'map':
      return cast(text, 'Nullable(String)');
  }
}
