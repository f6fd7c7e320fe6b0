import { expect, it } from 'vitest';
import type { Answer } from '../../../data/results/results.js';
import type { Cell } from '../../../data/results/cells.js';
import { histogramOf } from './use-histogram.js';

/** Five minutes, with one event per value in the first. */
const answerOf = (values: readonly Cell[]): Answer => {
  const fields = ['level', '_time', 'count_', 'late'].map((name) => ({ name, type: 'string' }));
  const range = { start: '2026-11-30T10:00:00Z', end: '2026-11-30T10:05:00Z' };
  const columns = [values, values.map(() => range.start), values.map((_, index) => 9 - index), values.map(() => 0)];
  return {
    head: { status: { rowsExamined: 1 } },
    table: { head: { fields, range }, columns, rows: values.length },
    asked: undefined,
  } as unknown as Answer;
};
const namesOf = (values: readonly Cell[]) => histogramOf(answerOf(values), 60_000_000_000n, 'level').values;

it('an event without the field differs from one with the text null, and the legend says so', () => {
  expect(namesOf(['error', null, 'null', ''])).toEqual([
    { name: 'error', cell: 'error' },
    { name: 'no level', cell: null },
    { name: 'null', cell: 'null' },
    { name: '""', cell: '' },
  ]);
});

it('what is left after eight values has no value to filter by', () => {
  const values = namesOf(['other', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', null]);
  expect(values).toHaveLength(9);
  expect(values[0]).toEqual({ name: 'other', cell: 'other' });
  expect(values[8]).toEqual({ name: 'other', cell: undefined });
});
