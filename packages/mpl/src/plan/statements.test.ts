import { beforeAll, expect, test } from 'vitest';
import { type Query, quoteString } from '@millrace/sql';
import { testEngine } from '../../../apl/src/testing/engine.js';
import { compile } from '../compile.js';
import type { FetchNode } from '../run/run.js';
import { anyPointsStatement, latestStatement, pointsStatement, seriesStatement } from './statements.js';
import type { LabelFilter } from './plan.js';
import type { WindowFunction } from './window-functions.js';
import { windowStatement } from './window-statement.js';

/** The statements on the real engine, over a table with the columns that they read. */

const range = { start: 1_790_000_000_000, end: 1_790_000_600_000 };
const engine = testEngine();
beforeAll(() => {
  engine.text(
    "CREATE TABLE t (_time DateTime64(9, 'UTC'), _seq UInt64, _row UInt32, `record#s` String, `metric#s` String, `series#i` Int64, " +
      '`value#f` Nullable(Float64), `tags#s` String, `type#s` String, `temporality#s` String, `unit#s` String) ' +
      'ENGINE = MergeTree ORDER BY (`record#s`, `metric#s`, `series#i`, _time)',
  );
  const time = (milliseconds: number) => `fromUnixTimestamp64Milli(${milliseconds}, 'UTC')`;
  const endOfDay = (Math.floor(range.start / 86_400_000) + 1) * 86_400_000 - 1;
  const tags = [
    JSON.stringify({ host: 'sa', port: 'i8080', roles: 'a["sdb","i5"]', up: 'b1' }),
    '{"host":"sb","port":"f0.5"}',
    '{"le":"finf"}',
  ];
  const point = (series: number, seconds: number, value: number, seq: number) =>
    `(${time(range.start + seconds * 1000)}, ${seq}, 1, 'point', 'b', ${series}, ${value}, '', '', '', '')`;
  const rows = tags.flatMap((text, i) => [
    `(${time(endOfDay)}, 1, 0, 'series', 'b', ${i}, NULL, ${quoteString(text)}, 'Gauge', '', '')`,
    ...[0, 30, 60].map((seconds) => point(i, seconds, i * 100 + seconds, 1)),
    // Sent again, with another value.
    point(i, 30, i * 100 + 31, 2),
    `(${time(range.start + 90_000)}, 1, 1, 'end', 'b', ${i}, NULL, '', '', '', '')`,
  ]);
  engine.text(`INSERT INTO t VALUES ${rows.join(', ')}`);
});

const from = { kind: 'table', name: 't' } as const;
const fetchOf = (text: string): FetchNode => {
  const result = compile(text, { now: range.end, range });
  if (result.kind === 'failed' || result.plan.root.kind !== 'fetch') throw new Error(JSON.stringify(result));
  return result.plan.root;
};

/** The result by columns. */
const ask = (query: Query): readonly unknown[][] => {
  const rows = engine.rows(query);
  return (rows[0] ?? [undefined]).map((_, i) => rows.map((row) => row[i]));
};

test.each<readonly [string, readonly string[]]>([
  ['', ['0', '1', '2']],
  ['| where host == "a"', ['0']],
  ['| where host != "a"', ['1']],
  ['| where not host == "a"', ['1', '2']],
  ['| where host == #/[ab]/', ['0', '1']],
  ['| where host != #/a/', ['1']],
  ['| where port == #/80/', ['0']],
  ['| where port == 8080.0', ['0']],
  ['| where port < 1', ['1']],
  ['| where port >= 0.5 and port < inf', ['0', '1']],
  ['| where le == inf', ['2']],
  ['| where port is int or le is float', ['0', '2']],
  ['| where host in ["b", 5]', ['1']],
  ['| where roles contains "db"', ['0']],
  ['| where roles contains 5.0', ['0']],
  ['| where roles contains "x"', []],
  ['| where host > "a"', ['1']],
  ['| where up == true', ['0']],
  ['| where host == 5', []],
])('a:b %s', (filter, ids) => {
  const [found] = ask(seriesStatement(fetchOf(`a:b ${filter}`), range, from));
  expect(found!.toSorted()).toEqual(ids);
});

test('points are in order; of several with the same time, the last one comes last', () => {
  const [ids, times, values] = ask(pointsStatement(fetchOf('a:b | where host == "a"'), range, from));
  expect(ids!.map(String)).toEqual(['0']);
  expect(times![0]).toEqual([0, 30, 30, 60].map((seconds) => range.start + seconds * 1000));
  expect(values![0]).toEqual([0, 30, 31, 60]);
});

test('windows are combined in the engine', () => {
  const windows = { start: range.start + 59_999, step: 60_000, length: 10, range: 60_000 };
  const valuesOf = (fn: WindowFunction): readonly unknown[] => {
    const [ids, irregular, values] = ask(
      windowStatement(fetchOf('a:b | where host == "a"'), range, windows, fn, from, false),
    );
    expect([ids!.map(String), irregular]).toEqual([['0'], [0]]);
    return (values![0] as unknown[]).slice(0, 3);
  };
  for (const [fn, first, second] of [
    ['avg', 15.5, 60],
    ['sum', 31, 60],
    ['count', 2, 1],
    ['last', 31, 60],
    ['min', 0, 60],
    ['max', 31, 60],
    ['gain', 31 / 60, 29 / 60],
    ['deltaGain', 31 / 60, 1],
  ] as const)
    expect(valuesOf(fn), fn).toEqual([first, second, null]);
});

const label = (tag: string, op: LabelFilter['op'], value: string): LabelFilter => ({ kind: 'label', tag, op, value });

test.each<readonly [LabelFilter, readonly string[]]>([
  [label('host', '=', 'a'), ['0']],
  [label('host', '!=', 'a'), ['1', '2']],
  [label('host', '=', ''), ['2']],
  [label('host', '=~', 'a|c'), ['0']],
  // A regular expression matches the whole value, or the missing one.
  [label('host', '=~', ''), ['2']],
  [label('host', '!~', 'a.*'), ['1', '2']],
  [label('port', '=', '8080'), ['0']],
  [label('port', '=', '0.50'), ['1']],
  [label('le', '=', '+Inf'), ['2']],
  [label('up', '=', 'true'), ['0']],
  [label('__name__', '=~', '[ab]'), ['0', '1', '2']],
  [label('__name__', '!=', 'b'), []],
])('a label %j', (filter, ids) => {
  for (const metric of [undefined, ['a', 'b']]) {
    const selection = { sample: 1, filter, ...(metric !== undefined && { metric }) };
    const [found = []] = ask(seriesStatement(selection, range, from));
    expect(found.toSorted()).toEqual(ids);
  }
});

/** Times, seconds after the start of the range, with values, of the only series. */
function pointsIn(query: Query): readonly (readonly [number, number | null])[] {
  const [, times, values] = ask(query);
  return (times![0] as (string | number)[])
    .map((time, i): [number, number | null] => [
      (Number(time) - range.start) / 1000,
      (values![0] as number[])[i] ?? null,
    ])
    .toSorted(([a], [b]) => a - b);
}
const ofHost = { sample: 1, metric: 'b', filter: label('host', '=', 'a') } as const;

test('the end of a series is a point without a number', () => {
  expect(pointsIn(anyPointsStatement(ofHost, range, from))).toEqual([
    [0, 0],
    [30, 30],
    [30, 31],
    [60, 60],
    [90, null],
  ]);
  expect(pointsIn(pointsStatement(ofHost, range, from)).at(-1)).toEqual([60, 60]);
});

test.each([
  [
    { start: 30, step: 30, length: 2 },
    [
      [30, 31],
      [60, 60],
      [90, null],
    ],
  ],
  [
    { start: 59, step: 40, length: 2 },
    [
      [30, 31],
      [90, null],
    ],
  ],
  [{ start: 60, step: 0.001, length: 1 }, [[60, 60]]],
])('the last points at the times %j', (times, points) => {
  const grid = { start: range.start + 1000 * times.start, step: 1000 * times.step, length: times.length };
  const between = { start: range.start, end: grid.start + (grid.length - 1) * grid.step + 1 };
  const wanted = points.filter(([time]) => range.start + 1000 * time! < between.end);
  expect(pointsIn(latestStatement(ofHost, between, grid, from))).toEqual(wanted);
});
