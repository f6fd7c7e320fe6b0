import { call, column, item, select } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { instant } from '../../lower/values.js';
import { testEngine } from '../../testing/engine.js';
import {
  calendar,
  floorDivided,
  floorRemainder,
  startOfConstantPeriod,
  startOfPeriod,
  longLiteral,
} from './calendar.js';
import type { CalendarUnit } from './calendar.js';
import { floorDivide } from '../../model/floor.js';

const engine = testEngine();

const MIN = -(2n ** 63n);
const GREATEST = 2n ** 63n - 1n;
const DAY = 86_400_000_000_000n;

/** Any representable time, the first and last one, and times around midnights and new years. */
const times: readonly bigint[] = [
  MIN,
  GREATEST,
  -1n,
  0n,
  ...fc.sample(fc.bigInt({ min: MIN, max: GREATEST }), { numRuns: 300, seed: 1 }),
  ...fc.sample(fc.bigInt({ min: -106_000n, max: 106_000n }), { numRuns: 200, seed: 2 }).map((day) => day * DAY),
  ...[1678, 1700, 1900, 1969, 2000, 2024, 2100, 2262].flatMap((year) => {
    const start = BigInt(Date.UTC(year, 0, 1)) * 1_000_000n;
    return [start - 1n, start, start + 59n * DAY];
  }),
];

/** The engine's value for each time, as text; null stays null. */
function onEngine(value: (time: Expr) => Expr): readonly unknown[] {
  const source = select({ columns: [item(call('arrayJoin', call('array', ...times.map(longLiteral))), 't')] });
  const query = select({
    columns: [item(call('toString', value(column('t'))))],
    from: { kind: 'subquery', query: source },
  });
  return engine.rows(query).map(([cell]) => cell);
}

const asText = (values: readonly (bigint | null)[]): readonly unknown[] => values.map((v) => v?.toString() ?? null);

describe('the engine and the compiler agree on', () => {
  it.each(Object.entries<CalendarUnit>(calendar))('the number of each %s', (_, unit) =>
    expect(onEngine((time) => unit.indexOf(instant(time)))).toEqual(asText(times.map(unit.indexOfConstant))),
  );

  it.each(Object.entries<CalendarUnit>(calendar))('the start of each %s', (_, unit) =>
    expect(
      onEngine((time) => call('toUnixTimestamp64Nano', startOfPeriod(unit, unit.indexOf(instant(time)), 7n))),
    ).toEqual(asText(times.map((time) => startOfConstantPeriod(unit, unit.indexOfConstant(time), 7n)))),
  );

  it('divisions rounded down', () =>
    expect(onEngine((time) => floorDivided(time, DAY))).toEqual(asText(times.map((time) => floorDivide(time, DAY)))));

  it('their remainders', () =>
    expect(onEngine((time) => floorRemainder(time, DAY))).toEqual(
      asText(times.map((time) => ((time % DAY) + DAY) % DAY)),
    ));
});

describe('a period', () => {
  it.each(Object.entries<CalendarUnit>(calendar))('%s begins at its start and ends before the next', (_, unit) => {
    fc.assert(
      fc.property(fc.bigInt({ min: unit.min, max: unit.max - 1n }), (index) => {
        expect(unit.indexOfConstant(unit.startOfConstant(index))).toBe(index);
        expect(unit.indexOfConstant(unit.startOfConstant(index + 1n) - 1n)).toBe(index);
      }),
    );
  });

  it.each(Object.entries<CalendarUnit>(calendar))('%s is null outside the representable times', (_, unit) => {
    expect(startOfConstantPeriod(unit, unit.min - 1n)).toBeNull();
    expect(startOfConstantPeriod(unit, unit.max + 1n)).toBeNull();
    expect(unit.startOfConstant(unit.min)).toBeGreaterThanOrEqual(MIN);
    expect(unit.startOfConstant(unit.max)).toBeLessThanOrEqual(GREATEST);
    expect(unit.startOfConstant(unit.min - 1n)).toBeLessThan(MIN);
    expect(unit.startOfConstant(unit.max + 1n)).toBeGreaterThan(GREATEST);
  });
});
