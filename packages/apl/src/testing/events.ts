import { column } from '@millrace/sql';
import type { Catalog, Dataset, Field } from '../model/catalog.js';
import type { ScalarType } from '../model/types.js';
import type { TestEngine } from './engine.js';
import { sampleReference } from './reference-data.js';

/** Only for tests: tables as the server makes them, and a catalog of them. */

const suffixes: Readonly<Record<string, { readonly type: ScalarType; readonly column: string }>> = {
  i: { type: 'long', column: 'Nullable(Int64)' },
  f: { type: 'real', column: 'Nullable(Float64)' },
  s: { type: 'string', column: 'LowCardinality(Nullable(String))' },
  // A string without a dictionary, like a computed string.
  c: { type: 'string', column: 'Nullable(String)' },
  b: { type: 'bool', column: 'Nullable(Bool)' },
  j: { type: 'dynamic', column: 'Nullable(String)' },
  m: { type: 'bag', column: 'Nullable(String)' },
  t: { type: 'datetime', column: "Nullable(DateTime64(9, 'UTC'))" },
};

/** An event: `_time` and physical columns by name, such as `status#i`. */
type TestEvent = Readonly<Record<string, unknown>> & { readonly _time: string };

/** Makes and fills the table of a dataset, and returns its entry in the catalog. */
export function createDataset(
  engine: TestEngine,
  name: string,
  events: readonly TestEvent[],
  more: Pick<Dataset, 'virtualFields'> = {},
): Dataset {
  const columns = [...new Set(events.flatMap((event) => Object.keys(event)))]
    .filter((key) => key !== '_time')
    .toSorted();
  const typeOf = (physical: string): { readonly type: ScalarType; readonly column: string } => {
    const found = suffixes[physical.slice(physical.lastIndexOf('#') + 1)];
    if (found === undefined) throw new Error(`no physical column: ${physical}`);
    return found;
  };
  const quoteName = (text: string): string => `\`${text}\``;
  engine.text('CREATE DATABASE IF NOT EXISTS events');
  engine.text(
    `CREATE TABLE events.${quoteName(name)} (_time DateTime64(9, 'UTC'), _sysTime DateTime64(9, 'UTC'), _seq UInt64, _row UInt32, ` +
      `${columns.map((physical) => `${quoteName(physical)} ${typeOf(physical).column}`).join(', ')}) ` +
      'ENGINE = MergeTree ORDER BY (_time, _seq, _row) PARTITION BY toYYYYMMDD(_time)',
  );
  const rows = events.map((event, i) => JSON.stringify({ ...event, _sysTime: event._time, _seq: 1, _row: i }));
  engine.text(
    `INSERT INTO events.${quoteName(name)} SETTINGS date_time_input_format = 'best_effort' FORMAT JSONEachRow ${rows.join('\n')}`,
  );
  const fields = new Map<string, Field>();
  for (const physical of columns) {
    const field = physical.slice(0, physical.lastIndexOf('#'));
    const reading = { type: typeOf(physical).type, sql: column(physical) };
    fields.set(field, { name: field, readings: [...(fields.get(field)?.readings ?? []), reading] });
  }
  return { name, database: 'events', table: name, fields, ...more };
}

export function catalogOf(...datasets: readonly Dataset[]): Catalog {
  const byName = new Map(datasets.map((dataset) => [dataset.name, dataset]));
  return { names: [...byName.keys()], dataset: (name) => byName.get(name), reference: sampleReference };
}
