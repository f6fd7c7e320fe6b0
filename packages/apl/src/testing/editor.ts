import { column } from '@millrace/sql';
import type { Catalog, Dataset, Field } from '../model/catalog.js';
import type { ScalarType } from '../model/types.js';

/**
 * Only for tests: datasets that an editor knows but that are in no engine. Fields are written
 * `name:type,type`.
 */
const dataset = (name: string, written: readonly string[]): Dataset => ({
  name,
  database: 'events',
  table: name,
  fields: new Map(written.map((text) => [fieldOf(text).name, fieldOf(text)])),
});

function fieldOf(text: string): Field {
  const [name = '', types = ''] = text.split(':');
  const readings = types.split(',').map((type) => ({ type: type as ScalarType, sql: column(`${name}#${type}`) }));
  return { name, readings };
}

const rare = ['http.trace_id:string', 'trace_state:string'].map(fieldOf);

const datasets = [
  {
    ...dataset('logs', [
      'id:long',
      'status:long',
      'method:string',
      'message:string',
      'geo.city:string',
      'level:string,long',
      'tags:array',
      'in:long',
    ]),
    rest: {
      fields: {
        all: () => rare,
        ending: (word: string) => rare.filter(({ name }) => name.endsWith(word)),
        has: (name: string) => rare.some((field) => field.name === name),
        names: () => rare.map(({ name }) => name),
        beneath: (path: string) => rare.some(({ name }) => name.startsWith(`${path}.`)),
      },
      bag: () => column('rest'),
      text: () => column('rest text'),
      renamed: () => column('rest'),
      members: () => column('rest'),
    },
  },
  dataset('logins', ['user:string', 'id:long', 'host-name:string']),
  dataset('web-logs', ['uri:string']),
];

export const sampleCatalog: Catalog = {
  names: datasets.map(({ name }) => name),
  dataset: (name) => datasets.find((each) => each.name === name),
};

/** A text with the cursor at the mark `‸`. */
export function atCursor(marked: string): { readonly text: string; readonly offset: number } {
  const offset = marked.indexOf('‸');
  if (offset < 0) throw new Error(`no cursor in ${marked}`);
  return { text: marked.replace('‸', ''), offset };
}
