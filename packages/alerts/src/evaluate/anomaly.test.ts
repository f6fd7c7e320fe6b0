import { describe, expect, it } from 'vitest';
import { evaluateAnomaly } from './anomaly.js';
import type { ResultTable } from './result-table.js';

const minute = 60_000;
const start = Date.UTC(2026, 10, 20, 10);
const end = (points: number) => start + points * minute;

/** A series of one point a minute from 10:00 on; null is a minute without a value. */
function table(...series: readonly (readonly (number | null)[])[]): ResultTable {
  const rows = series.flatMap((values, of) => values.map((value, i) => ({ value, group: `g${of}`, at: end(i) })));
  return {
    columns: [
      { name: '_time', role: 'time', values: rows.map(({ at }) => new Date(at).toISOString()) },
      { name: 'service', role: 'group', values: rows.map(({ group }) => group) },
      { name: 'count_', role: 'value', values: rows.map(({ value }) => value) },
    ],
    rows: rows.length,
    binSize: 60_000_000_000n,
    datasets: ['logs'],
  };
}

const monitor = {
  operator: 'AboveOrBelow',
  tolerance: 3,
  notifyByGroup: false,
  intervalMinutes: 1,
  compareDays: 0,
} as const;

/** Ten minutes around 100, whose median distance from their median is 1. */
const usual = [99, 101, 99, 101, 99, 101, 99, 101, 99, 101];

const violates = (values: readonly (number | null)[], changes: object = {}, past?: ResultTable) => {
  const verdict = evaluateAnomaly(
    table(values),
    { ...monitor, ...changes },
    { end: end(values.length), ...(past !== undefined && { past }) },
  );
  return verdict.kind === 'read' ? verdict.readings.map((reading) => reading.violates) : verdict.problem;
};

describe('what stands out', () => {
  // The margin is 3 × 1.4826 × 1, so from 95.55 to 104.45 is usual.
  it.each([
    ['the usual', [...usual, 104], {}, false],
    ['above', [...usual, 105], {}, true],
    ['below', [...usual, 95], {}, true],
    ['below, for who asks for above', [...usual, 95], { operator: 'Above' }, false],
    ['above, for who asks for below', [...usual, 105], { operator: 'Below' }, false],
    ['within a wider tolerance', [...usual, 105], { tolerance: 4 }, false],
    ['a tolerance of 0 is one of 3', [...usual, 104], { tolerance: 0 }, false],
    ['a tolerance of 0 is one of 3, and no more', [...usual, 105], { tolerance: 0 }, true],
    ['fewer than ten points say nothing', [1, 1, 1, 1, 1, 1, 1, 1, 900], {}, false],
    ['one that is past is not reported again', [...usual, 105, 100], {}, false],
    ['one in the interval is', [...usual, 105, 100], { intervalMinutes: 2 }, true],
    ['a level that has become the usual one', [...usual, ...usual.map((value) => value + 50), 150, 150], {}, false],
    ['constants: a hundredth of the value counts as the spread', [...usual.map(() => 100), 102], {}, false],
    ['constants, left by more', [...usual.map(() => 100), 104], {}, true],
    ['zeros, left at all', [...usual.map(() => 0), 1], {}, true],
    ['minutes without a value are left out', [...usual, null], {}, false],
  ])('%s', (_, values, changes, is) => expect(violates(values, changes)).toEqual([is]));

  it('has the expected range', () =>
    expect(evaluateAnomaly(table([...usual, 120]), monitor, { end: end(11) })).toMatchObject({
      readings: [{ value: 120, expected: { low: expect.closeTo(95.55, 2), high: expect.closeTo(104.45, 2) } }],
    }));

  it('a bin that has not ended is not looked at', () =>
    expect(evaluateAnomaly(table([...usual, 100, 900]), monitor, { end: end(11) + 1 })).toMatchObject({
      readings: [{ violates: false }],
    }));
});

describe('bins without rows', () => {
  const markCounts = (series: ResultTable): ResultTable => ({
    ...series,
    columns: series.columns.map((column) => (column.role === 'value' ? { ...column, isCount: true } : column)),
  });
  const read = (asked: ResultTable, points: number) => evaluateAnomaly(asked, monitor, { end: end(points) });

  it('of counts are 0: traffic that stops stands out', () => {
    expect(read(markCounts(table(usual)), 10)).toMatchObject({ readings: [{ violates: false, value: 101 }] });
    expect(read(markCounts(table(usual)), 11)).toMatchObject({ readings: [{ violates: true, value: 0 }] });
    expect(read(markCounts(table([...usual, null, 100])), 12)).toMatchObject({ readings: [{ violates: false }] });
  });
  it.each([
    ['steady counts, at once', [7, 7, 7, 7, 7, 7, 7, 7, 7, 7], 1],
    ['counts that vary much, after three bins', [5, 2, 8, 4, 6, 1, 7, 3, 5, 9], 3],
    ['counts with a 0 before, after five bins', [5, 2, 8, 0, 6, 1, 7, 3, 5, 9], 5],
  ])('that follow %s: traffic that stops stands out until most bins are 0', (_, before, bins) => {
    const found = Array.from({ length: 9 }, (__, i) => {
      const verdict = read(markCounts(table(before)), before.length + i + 1);
      return verdict.kind === 'read' && verdict.readings[0]!.violates;
    });
    expect(found.indexOf(true)).toBe(bins - 1);
    expect(found.slice(bins - 1)).not.toContain(false);
  });
  it('stand out below only', () => {
    const series = markCounts(table([5, 2, 8, 4, 6, 1, 7, 3, 5, 9]));
    const violatesWith = (changes: object) => evaluateAnomaly(series, { ...monitor, ...changes }, { end: end(14) });
    expect(violatesWith({ operator: 'Below' })).toMatchObject({ readings: [{ violates: true, expected: { low: 1 } }] });
    expect(violatesWith({ operator: 'Above' })).toMatchObject({ readings: [{ violates: false }] });
  });
  it('of other aggregates are unknown', () =>
    expect(read(table(usual), 11)).toMatchObject({ readings: [{ violates: false, value: 101 }] }));
  it('before the first row are not counted', () =>
    expect(read(markCounts(table([...usual.map(() => null), 100])), 11)).toMatchObject({
      readings: [{ violates: false }],
    }));
});

describe('the same time on days before', () => {
  const dayBefore = (last: number): ResultTable => {
    const { columns, ...rest } = table([...usual, last]);
    const [time, ...others] = columns;
    const values = time!.values.map((text) => new Date(Date.parse(String(text)) - 86_400_000).toISOString());
    return { ...rest, columns: [{ ...time!, values }, ...others] };
  };
  it.each([
    ['a peak that is there each day', dayBefore(200), false],
    ['a peak that was not there', dayBefore(100), true],
    ['nothing was there', undefined, true],
  ])('%s', (_, past, is) => expect(violates([...usual, 200], { compareDays: 1 }, past)).toEqual([is]));
});

it('each group is compared with itself', () => {
  const two = table([...usual, 105], usual.map((value) => value * 10).concat(1000));
  const read = (notifyByGroup: boolean) => evaluateAnomaly(two, { ...monitor, notifyByGroup }, { end: end(11) });
  expect(read(true)).toMatchObject({
    keys: ['service'],
    readings: [
      { labels: ['g0'], violates: true },
      { labels: ['g1'], violates: false },
    ],
  });
  expect(read(false)).toMatchObject({ keys: [], readings: [{ labels: [], violates: true, value: 105 }] });
});

it('nothing at all is no data, and a result without bins is a mistake', () => {
  expect(evaluateAnomaly(table(), monitor, { end: end(0) })).toMatchObject({ noData: true });
  const { binSize: _, ...without } = table(usual);
  expect(evaluateAnomaly(without, monitor, { end: end(10) })).toMatchObject({
    kind: 'error',
    problem: expect.stringContaining('summarize … by bin(_time, 1m)'),
  });
});
