import { column } from '@millrace/sql';
import type { Catalog, Dataset } from '../model/catalog.js';
import type { ScalarType } from '../model/types.js';
import { catalogOf } from './events.js';

/** A catalog of one dataset without a table, for tests of checks that run before the query. */
export function catalogWithoutTable(name: string, types: Readonly<Record<string, ScalarType>>): Catalog {
  const fields: Dataset['fields'] = new Map(
    Object.entries(types).map(([field, type]) => [
      field,
      { name: field, readings: [{ type, sql: column(`${field}#x`) }] },
    ]),
  );
  return catalogOf({ name, database: 'events', table: name, fields });
}
