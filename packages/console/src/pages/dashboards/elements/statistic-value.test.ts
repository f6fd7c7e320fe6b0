import { expect, it } from 'vitest';
import type { Cell } from '../../../data/results/cells.js';
import type { Answer } from '../../../data/results/results.js';
import { statisticOf } from './statistic-value.js';

const answerOf = (cell: Cell): Answer =>
  ({
    table: {
      head: { fields: [{ name: 'max_x', type: 'string' }], buckets: {}, groups: [] },
      columns: [[cell]],
      rows: 1,
    },
  }) as unknown as Answer;

it.each<[Cell, ReturnType<typeof statisticOf>]>([
  ['1.4.2', { value: null, text: '1.4.2', values: [] }],
  // The element shows a dash, not an empty text.
  [null, { value: null, values: [] }],
])('one cell %o', (cell, value) => expect(statisticOf(answerOf(cell))).toEqual(value));
