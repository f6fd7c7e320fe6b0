import { expect, it } from 'vitest';
import type { Answer } from '../data/results/results.js';
import { fittedColumns } from './fitted-columns.js';
import { rowSource } from './row-source.js';
import { columnsOf, columnText } from './table-columns.js';

interface Field {
  readonly name: string;
  readonly type: string;
  readonly agg?: { readonly name: string };
}

function tableOf(fields: readonly Field[], groups: readonly string[], ...columns: readonly unknown[][]) {
  const answer = {
    head: { status: {} },
    table: {
      head: { fields, groups: groups.map((name) => ({ name })) },
      index: new Map(fields.map(({ name }, index) => [name, index])),
      columns,
      rows: columns[0]!.length,
    },
  } as unknown as Answer;
  return (chosen: readonly string[]) => fittedColumns(columnsOf(chosen, fields), rowSource([answer]), answer);
}

const groups = tableOf(
  [
    { name: 'status', type: 'integer' },
    { name: 'path', type: 'string' },
    { name: 'requests', type: 'integer', agg: { name: 'count' } },
    { name: 'percent', type: 'float' },
  ],
  ['status', 'path'],
  [200, 500],
  ['/', `/${'long'.repeat(100)}`],
  [1_234_567, 3],
  [99.9, 0.1],
);

it('groups digits of aggregates, not of keys and events', () => {
  expect(groups(['status', 'path', 'requests', 'percent']).map(({ isAmount }) => isAmount)).toEqual([
    false,
    false,
    true,
    true,
  ]);
  const events = tableOf([{ name: 'port', type: 'integer' }], [], [8080]);
  expect(events(['port'])[0]).toMatchObject({ isAmount: false });
});

it('columns are as wide as their values, up to a maximum, unless they were resized', () => {
  const [status, path, requests] = groups(['status', 'path', 'requests:123']);
  expect(status!.width).toBeLessThan(80);
  expect(path!.width).toBe(360);
  expect(requests!.width).toBe(123);
  expect([status!, path!, requests!].map(columnText)).toEqual(['status', 'path', 'requests:123']);
});
