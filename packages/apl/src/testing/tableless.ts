import { column } from '@millrace/sql';
import type { Catalogue, Dataset } from '../catalogue.js';
import type { ScalarType } from '../types.js';
import { catalogueOf } from './events.js';

/**
 * Only for tests: a catalogue of one dataset without a table, for what is decided before anything
 * runs.
 */
export function tableless(name: string, types: Readonly<Record<string, ScalarType>>): Catalogue {
  const fields: Dataset['fields'] = new Map(
    Object.entries(types).map(([field, type]) => [
      field,
      { name: field, readings: [{ type, sql: column(`${field}#x`) }] },
    ]),
  );
  return catalogueOf({ name, database: 'events', table: name, fields });
}
