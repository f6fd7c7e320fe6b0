import type { Catalog } from '../model/catalog.js';
import { parseDatetime } from '../syntax/lexing/datetime.js';
import type { TestEngine } from './engine.js';
import { catalogOf, createDataset } from './events.js';
import { jsonOf } from './evaluator/values.js';
import type { Column, Table, Type, Value } from './evaluator/values.js';
import type { Shape } from './generator/shape.js';

/** The types of the events' columns below, by the suffix of their names. */
const types = { i: 'long', f: 'real', s: 'string', b: 'bool', j: 'dynamic', t: 'datetime' } as const;

const texts = [
  'GET',
  'get',
  'POST',
  null,
  '',
  'ERROR: disk full',
  'äöü Straße',
  'ÄÖÜ',
  '日本語 error',
  'a,b,,c',
  'k=v;x=y',
];
const jsons = [
  '[1,2,3]',
  '{"k":1,"s":"a","l":[1,"x"]}',
  null,
  '"a"',
  '[]',
  '{"k":{"s":"b"},"n":null}',
  '2.5',
  'true',
  '[[1],{"k":-3}]',
];

const pickCyclic = <T>(values: readonly T[], i: number): T => values[i % values.length]!;

/** A field of several types: each event has at most one of its columns. */
const mixedColumns = (i: number): Readonly<Record<string, Value>> =>
  pickCyclic([{ 'level#s': 'info' }, { 'level#i': 3 }, { 'level#f': 2.5 }, {}, { 'level#s': '3' }], i);

/** Events as the server stores them, with fields that some events do not have. */
const events = (count: number, step: number) =>
  Array.from({ length: count }, (_, i) => ({
    _time: new Date(Date.UTC(2024, 5, 15, 11, 5) + i * step * 1000).toISOString(),
    'id#i': i,
    'status#i': pickCyclic([200, 404, null, 200, 500, -1], i),
    'duration#f': pickCyclic([0.5, null, 1.5, 2.25, -0.5, 20, 1.5], i),
    'method#s': pickCyclic(texts, i),
    'ok#b': pickCyclic([true, false, null], i),
    'seen#t': pickCyclic(['2024-02-29T12:30:00Z', null, '1969-12-31T23:59:59.999999999Z', '2024-06-15T00:00:00Z'], i),
    'tags#j': pickCyclic(jsons, i),
    ...mixedColumns(i),
  }));

export interface Sample {
  readonly catalog: Catalog;
  readonly tables: Readonly<Record<string, Table>>;
  readonly shapes: Readonly<Record<string, Shape>>;
}

/**
 * Two datasets in the engine, the same rows for the evaluator, and their shapes for the generators.
 */
export function differentialTables(engine: TestEngine): Sample {
  const parts = [
    { name: 't', rows: events(24, 97) },
    { name: 'u', rows: events(5, 600) },
  ];
  const datasets = parts.map(({ name, rows }) => createDataset(engine, name, rows));
  const tables = parts.map(({ name, rows }) => [name, tableOf(rows)] as const);
  const shapes = tables.map(([name, { columns }]): readonly [string, Shape] => [
    name,
    { fields: columns, unique: ['id'], ordered: true },
  ]);
  return {
    catalog: catalogOf(...datasets),
    tables: Object.fromEntries(tables),
    shapes: Object.fromEntries(shapes),
  };
}

/** Events as rows, newest first. */
function tableOf(rows: readonly Readonly<Record<string, Value>>[]): Table {
  const physical = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((name) => name !== '_time').toSorted();
  const names = [...new Set(physical.map((name) => name.slice(0, -2)))];
  const fields = names.map((name) => physical.filter((column) => column.slice(0, -2) === name));
  const columns = fields.map(([first = '', ...others], i): Column => ({
    name: names[i]!,
    type: others.length > 0 ? 'mixed' : typeOf(first),
  }));
  return {
    columns: [{ name: '_sysTime', type: 'datetime' }, { name: '_time', type: 'datetime' }, ...columns],
    rows: rows.toReversed().map((row) => {
      const time = parseDatetime(String(row['_time']))!;
      const cells = fields.map((field) => {
        const name = field.find((column) => row[column] !== undefined) ?? '';
        return toStoredValue(row[name] ?? null, typeOf(name));
      });
      return [time, time, ...cells];
    }),
  };
}

const typeOf = (physical: string): Type => types[physical.slice(-1) as keyof typeof types];

function toStoredValue(value: Value, type: Type): Value {
  if (value === null) return null;
  if (type === 'datetime') return parseDatetime(String(value)) ?? null;
  if (type === 'long') return BigInt(Number(value));
  return type === 'dynamic' ? jsonOf(String(value)) : value;
}
