import { expect, it } from 'vitest';
import { testEngine } from '../../testing/engine.js';
import { evaluate } from '../../testing/run-examples.js';
import type { Outcome } from '../../testing/run-examples.js';

/** How strings that are almost values of a type are converted, as constants and as columns. */
const engine = testEngine();

/** The greatest integer as a real. */
const max = 2 ** 63;

/** A text, and the results of `toint`, `todouble`, `tobool` and `totimespan` for it. */
const texts: readonly (readonly [
  text: string,
  int: number | bigint | null,
  double: number | null,
  bool: boolean | null,
  timespan: number | null,
])[] = [
  ['', null, null, null, null],
  ['0', 0, 0, false, 0],
  ['1', 1, 1, true, null],
  ['+42', 42, 42, null, null],
  ['-7', -7, -7, null, null],
  [' 42', null, null, null, null],
  ['42 ', null, null, null, null],
  ['--4', null, null, null, null],
  ['+', null, null, null, null],
  ['00012', 12, 12, null, null],
  ['9223372036854775807', 9_223_372_036_854_775_807n, max, null, null],
  ['9223372036854775808', null, max, null, null],
  ['-9223372036854775808', -9_223_372_036_854_775_808n, -max, null, null],
  ['-9223372036854775809', null, -max, null, null],
  ['0x2A', 42, null, null, null],
  ['1_000', null, null, null, null],
  ['1,5', null, null, null, null],
  ['٣', null, null, null, null],
  ['4.0', null, 4, null, null],
  ['5.', null, 5, null, null],
  ['-.5', null, -0.5, null, null],
  ['1e3', null, 1000, null, null],
  ['1E-3', null, 0.001, null, null],
  ['1e', null, null, null, null],
  ['1e-400', null, 0, null, null],
  ['true', null, null, true, null],
  ['FALSE', null, null, false, null],
  ['T', null, null, true, null],
  ['tRUE', null, null, null, null],
  ['true ', null, null, null, null],
  ['null', null, null, null, null],
  ['1h', null, null, null, 3_600_000_000_000],
  ['+1m.5s', null, null, null, 60_500_000_000],
  ['-1.5ms', null, null, null, -1_500_000],
  ['1 h', null, null, null, null],
  ['1d', null, null, null, 86_400_000_000_000],
  ['1.h', null, null, null, 3_600_000_000_000],
];
const functions = ['toint', 'todouble', 'tobool', 'totimespan'];

const expectedOutcomes = texts.flatMap(([, ...values]) => values.map((value): Outcome => ({ value })));

it('constants', () =>
  expect(
    evaluate(
      engine,
      texts.flatMap(([text]) => functions.map((name) => `${name}(${JSON.stringify(text)})`)),
    ),
  ).toEqual(expectedOutcomes));

it.each(['string', 'dynamic'])('columns of type %s', (type) =>
  expect(
    texts.flatMap(([text]) =>
      evaluate(
        engine,
        functions.map((name) => `${name}(text)`),
        `datatable(text:${type})[${JSON.stringify(text)}, ${type}(null)] | take 1`,
      ),
    ),
  ).toEqual(expectedOutcomes),
);

it('texts for NaN and infinities are reals, and have no integer', () =>
  expect(
    evaluate(engine, [
      'isnan(todouble("nan"))',
      'isinf(todouble("-Inf"))',
      'isinf(todouble("infinity"))',
      'toint(todouble("inf"))',
      'toint(todouble("nan"))',
    ]),
  ).toEqual([{ value: true }, { value: true }, { value: true }, { value: null }, { value: null }]));
