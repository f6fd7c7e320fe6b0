import { expect, it } from 'vitest';
import type { Answer } from '../data/results/results.js';
import { heatOf } from './heat-data.js';
import { deepestOf } from './heat-scale.js';

const answerOf = (fields: readonly (readonly [string, string])[], columns: readonly (readonly unknown[])[]): Answer =>
  ({
    head: {},
    table: {
      head: {
        fields: fields.map(([name, type]) => ({ name, type })),
        groups: [{ name: '_time' }, { name: 'service' }],
        order: [],
        buckets: { field: '_time', size: 60e9 },
        range: { field: '_time', start: '2025-11-26T09:58:30Z', end: '2025-11-26T10:03:00Z' },
      },
      columns,
      rows: columns[0]!.length,
    },
  }) as unknown as Answer;
const times = ['2025-11-26T10:00:00Z', '2025-11-26T10:01:00Z'];
const bins = (...list: readonly (readonly [number, number, number])[]) => ({
  kind: 'json',
  text: JSON.stringify(list.map(([from, to, count]) => ({ from, to, count }))),
});

it('rebins histograms to one scale without losing events', () => {
  const heat = heatOf(
    answerOf(
      [
        ['_time', 'datetime'],
        ['histogram_duration', 'array'],
      ],
      [times, [bins([0, 10, 20], [10, 100, 9]), bins([50, 50, 3])]],
    ),
    String,
  )!;
  // Times without events have a column too.
  expect(heat.times.map((at) => new Date(at).toISOString().slice(11, 16))).toEqual([
    '09:59',
    '10:00',
    '10:01',
    '10:02',
    '10:03',
  ]);
  const sumOf = (column: number) => heat.counts.reduce((sum, line) => sum + line[column]!, 0);
  expect([0, 1, 2, 3, 4].map((column) => Math.round(sumOf(column) * 1e6) / 1e6)).toEqual([0, 29, 3, 0, 0]);
});

it('puts a distant outlier into the last row and keeps the resolution of the others', () => {
  const usual = Array.from({ length: 10 }, (_, at) => [at * 10, at * 10 + 10, 10] as const);
  const heat = heatOf(
    answerOf(
      [
        ['_time', 'datetime'],
        ['histogram_duration', 'array'],
      ],
      [times, [bins(...usual), bins(...usual, [60_000, 60_000, 1])]],
    ),
    String,
  )!;
  expect(heat.bounds![18]![1]).toBe(100);
  expect(heat.rows.at(-1)).toBe('≥ 100');
  expect(heat.counts[19]!.at(2)).toBe(1);
  expect(heat.counts.filter((line) => line.some((count) => count > 0)).length).toBe(20);
});

it('a few counts far above the others share the deepest shade with the largest of them', () => {
  expect(
    deepestOf([
      [1, 2, 3, 0],
      [...Array.from({ length: 97 }, () => 4), 5000],
    ]),
  ).toBe(4);
  expect(deepestOf([[1, 2, 3, 9]])).toBe(9);
  expect(deepestOf([[0]])).toBe(0);
});

it('has a row per group over time', () =>
  expect(
    heatOf(
      answerOf(
        [
          ['_time', 'datetime'],
          ['service', 'string'],
          ['count_', 'integer'],
        ],
        [times, ['a', 'b'], [3, 5]],
      ),
      String,
    ),
  ).toMatchObject({ rows: ['b', 'a'], max: 5 }));

it('rejects other results', () => expect(heatOf(answerOf([['msg', 'string']], [['a']]), String)).toBeUndefined());
