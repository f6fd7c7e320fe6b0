import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { difference } from '../bench/src/questions/compare.js';
import type { Question } from '../bench/src/questions/question.js';
import { barChart } from '../bench/src/report/chart.js';
import { figureLine, figureTable, judge } from '../bench/src/report/table.js';
import type { Figure } from '../bench/src/result.js';
import { runSuites } from '../bench/src/run.js';
import { sizes } from '../bench/src/sizes.js';

/** The measurements with hardly any data: they fail on a crash, on a lost event and on an answer that differs from hand-written SQL, never on a time. */

let directory = '';
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'millrace-bench-test-'));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const run = (only: string): Promise<readonly Figure[]> =>
  runSuites({
    sizes: sizes.tiny,
    only: [only],
    dataDirectory: directory,
    report: () => undefined,
    say: () => undefined,
  });

describe('suites', { timeout: 120_000 }, () => {
  it.each(['ingest', 'acks', 'disk', 'query', 'concurrency', 'growth', 'micro'])('%s', async (name) => {
    const figures = await run(name);
    expect(figures.length).toBeGreaterThan(0);
    for (const figure of figures) {
      expect(figure.against.length, figure.name).toBeGreaterThan(0);
      // Not more: what HTTP adds is a difference, and may be negative where there is hardly any data.
      for (const value of figure.ours) expect(value, figure.name).toSatisfy(Number.isFinite);
      expect(figureLine(figure)).toContain(figure.name);
    }
  });
});

describe('answers are compared', () => {
  const question: Question = { name: 'q', apl: '', sql: '', json: '' };

  it.each([
    ['rows in any order', {}, [[1, 2]], [[2, 1]], true],
    ['an order that matters', { ordered: true }, [[1, 2]], [[2, 1]], false],
    ['another value', {}, [[1, 2]], [[1, 3]], false],
    ['a row less', {}, [[1]], [[1, 2]], false],
    ['a column less', {}, [[1]], [[1], [2]], false],
    ['times in two spellings', {}, [['2026-11-01T00:00:01Z']], [['2026-11-01 00:00:01.000000']], true],
    ['times that differ by a microsecond', {}, [['2026-11-01T00:00:01Z']], [['2026-11-01 00:00:01.000001']], false],
    ['numbers as text', {}, [[12]], [['12']], true],
    ['an estimate within its share', { estimates: { 0: 0.1 } }, [[100]], [[95]], true],
    ['an estimate beyond it', { estimates: { 0: 0.1 } }, [[100]], [[80]], false],
    [
      'rows that are matched although an estimate differs',
      { estimates: { 1: 0.1 } },
      [
        ['a', 'b'],
        [10, 20],
      ],
      [
        ['b', 'a'],
        [19, 10],
      ],
      true,
    ],
  ] as const)('%s', (_, more, ours, theirs, same) =>
    expect(difference({ ...question, ...more }, ours, theirs) === undefined).toBe(same),
  );
});

describe('reports', () => {
  const figure: Figure = {
    suite: 's',
    name: 'n',
    unit: 'MB/s',
    better: 'higher',
    ours: [10, 20, 30],
    against: [
      { name: 'a', runs: [10, 10, 10] },
      { name: 'b', runs: [], missing: 'not installed' },
    ],
    goal: { yardstick: 'a', atLeast: 2.5 },
  };

  it('ratios are taken run by run', () => expect(judge(figure)).toEqual({ ratio: 2, goal: '≥ 2.5 × a', met: false }));

  it('a table shows median, spread and ratio, and what is missing', () =>
    expect(figureTable([figure]).split('\n').at(-1)).toBe('| n | 20.0 ±50% MB/s | 10.0 ±0% (×2.00) | not installed |'));

  it('charts are XML whatever the labels are', () =>
    expect(barChart('<t>', [{ label: 'a & b', bars: [{ system: 'x', value: 1 }] }], String)).toContain('a &amp; b'));
});
