import { nullLiteral } from '@millrace/sql';
import type { Catalog, Dataset, Field } from '../model/catalog.js';
import type { ScalarType } from '../model/types.js';

/** A dataset as an editor knows it. */
export interface EditorDataset {
  readonly name: string;
  /** Types as the HTTP interface names them, such as `integer|string`. */
  readonly fields: readonly { readonly name: string; readonly type: string }[];
  /** Names of declared map fields. */
  readonly mapFields?: readonly string[];
  readonly virtualFields?: readonly (readonly [name: string, expression: string])[];
}

/** The names that an editor completes and checks. */
export interface EditorNames {
  readonly datasets: readonly EditorDataset[];
  readonly views?: readonly (readonly [name: string, apl: string])[];
}

const scalarTypes: Readonly<Record<string, ScalarType>> = {
  integer: 'long',
  float: 'real',
  string: 'string',
  boolean: 'bool',
  datetime: 'datetime',
  timespan: 'timespan',
  array: 'array',
  map: 'bag',
  unknown: 'dynamic',
};

const fieldOf = (name: string, type: string, isMap: boolean): Field => ({
  name,
  // Queries do not run in an editor, so fields have no columns.
  readings: type.split('|').map((each) => ({ type: scalarTypes[each] ?? 'dynamic', sql: nullLiteral })),
  ...(isMap && { map: true }),
});

const datasetOf = ({ name, fields, mapFields = [], virtualFields = [] }: EditorDataset): Dataset => ({
  name,
  database: '',
  table: '',
  fields: new Map(
    fields
      .filter((field) => field.name !== '_time' && field.name !== '_sysTime')
      .map((field) => [field.name, fieldOf(field.name, field.type, mapFields.includes(field.name))]),
  ),
  virtualFields: new Map(virtualFields),
});

/** Catalog for the functions of this entry, from names and types alone. */
export function editorCatalog({ datasets, views = [] }: EditorNames): Catalog {
  const byName = new Map(datasets.map((each) => [each.name, datasetOf(each)]));
  const viewTexts = new Map(views);
  return {
    names: [...byName.keys(), ...viewTexts.keys()],
    dataset: (name) => byName.get(name),
    view: (name) => viewTexts.get(name),
  };
}
