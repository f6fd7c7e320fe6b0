import { expect, it } from 'vitest';
import type { Answer } from '../../../data/results/results.js';
import { cutAt, largestSeries, withLimit } from './max-series.js';

/** A result with this many series. */
const answer = (series: number, groups: readonly string[]): Answer =>
  ({
    table: {
      rows: series,
      columns: [...groups.map(() => Array.from({ length: series }, (_, row) => `s${row}`)), []],
      head: {
        fields: [...groups, 'count_'].map((name) => ({ name, type: name === 'count_' ? 'integer' : 'string' })),
        groups: ['_time', ...groups].map((name) => ({ name })),
        buckets: { field: '_time', size: 1 },
      },
    },
  }) as unknown as Answer;

it.each([
  [
    'a | summarize count() by bin_auto(_time), b // all',
    'a | summarize count() by bin_auto(_time), b // all\n| take 101',
  ],
  [
    "a | summarize c = countif(x == '|') by bin(_time, 1m), b | render timechart",
    "a | summarize c = countif(x == '|') by bin(_time, 1m), b\n| take 101\n| render timechart",
  ],
  // By time alone there is one series, and `take` would truncate it.
  ['a | summarize count() by bin_auto(_time)', undefined],
  ["a | summarize f(max(x), ',by b') by t = bin(_time, f(1m)) // , b", undefined],
  // A limit here would drop rows, not series.
  ['a | summarize count() by bin_auto(_time), b | where count_ > 1', undefined],
  ['a | summarize count() by b', 'a | summarize count() by b\n| take 201'],
  ['a', undefined],
])('%s is limited to one series or group more than can be drawn', (apl, asked) =>
  expect(withLimit(apl, { rows: 200, cut: 'series' })).toBe(asked ?? apl),
);

it.each([
  ['few series', 100, ['b']],
  ['no groups', 1, []],
] as const)('adds no limit to %s', (_, series, groups) =>
  expect(largestSeries('a | summarize count() by bin_auto(_time), b', answer(series, groups))).toBeUndefined(),
);

it('queries the largest series only, after the declarations', () => {
  const apl =
    "declare query_parameters (s: string = ';'); // one; two\na | summarize count() by bin_auto(_time), b, ['c d'] | render timechart";
  const asked = largestSeries(apl, answer(101, ['b', 'c d']))!;
  expect(asked).toMatch(/^declare query_parameters \(s: string = ';'\);let _series = \(\/\/ one; two\na \| summarize/);
  expect(asked).toContain(
    String.raw`| where strcat(tostring(b), '\u0001', tostring(['c d']), '') in ((_series | summarize`,
  );
  expect(asked).not.toContain('render');
});

it('a table limits rows instead of series, and reports when there are more', () => {
  const max = { rows: 1000, cut: 'rows' } as const;
  expect(withLimit('a | summarize count() by bin_auto(_time), b', max)).toMatch(/\| where true\n\| take 1001$/);
  const of = (rows: number): Answer => {
    const { table } = answer(rows, ['b']);
    return { head: { status: { messages: [] } }, table } as unknown as Answer;
  };
  expect([cutAt(of(1000), max), cutAt(of(1001), max)]).toEqual([undefined, 1000]);
  expect(cutAt(of(5000), { rows: 1000, cut: 'series' })).toBeUndefined();
});
