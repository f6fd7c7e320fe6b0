import type { Catalogue, Dataset, Field, ScalarType } from '@millrace/apl/editor';
import type { KnownNames, KnownDataset } from './language-messages.js';

/** Catalog for the language service. Queries do not run here, so storage details are omitted. */

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

const nothing = { kind: 'null' } as never;

const fieldOf = (name: string, type: string, map: boolean): Field => ({
  name,
  readings: type
    .split('|')
    .map((each) => scalarTypes[each])
    .filter((each) => each !== undefined)
    .map((each) => ({ type: each, sql: nothing })),
  ...(map && { map }),
});

const datasetOf = ({ name, fields, mapFields, virtualFields }: KnownDataset): Dataset => ({
  name,
  database: '',
  table: '',
  fields: new Map(
    fields
      .filter(({ name }) => name !== '_time' && name !== '_sysTime')
      .map((field) => [field.name, fieldOf(field.name, field.type, mapFields.includes(field.name))]),
  ),
  virtualFields: new Map(virtualFields),
});

export function catalogueOf({ datasets, views }: KnownNames): Catalogue {
  const byName = new Map(datasets.map((each) => [each.name, datasetOf(each)]));
  const viewTexts = new Map(views);
  return {
    names: [...byName.keys(), ...viewTexts.keys()],
    dataset: (name) => byName.get(name),
    view: (name) => viewTexts.get(name),
  };
}
