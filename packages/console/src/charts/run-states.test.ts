import { expect, it } from 'vitest';
import { type ChartRun, stretchesOf } from './run-states.js';

const minute = 60_000;
const runs = (text: string): readonly ChartRun[] =>
  [...text].flatMap((letter, index) => {
    const state = ({ o: 'ok', F: 'open', e: 'error' } as const)[letter];
    return state === undefined ? [] : [{ time: index * minute, state }];
  });

it.each([
  ['oooo', [['ok', 0, 1]]],
  [
    'ooFF',
    [
      ['ok', 0, 0.5],
      ['open', 0.5, 1],
    ],
  ],
  // One missing run is not a gap; several are.
  ['o.oo', [['ok', 0, 1]]],
  [
    'F...e',
    [
      ['open', 0, 0.2],
      ['none', 0.2, 0.8],
      ['error', 0.8, 1],
    ],
  ],
  ['', []],
] as const)('%s', (text, expected) =>
  expect(
    stretchesOf(runs(text), { start: 0, end: text.length * minute, interval: minute }).map(({ state, from, to }) => [
      state,
      from,
      to,
    ]),
  ).toEqual(expected),
);
