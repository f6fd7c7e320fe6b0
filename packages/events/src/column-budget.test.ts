import { describe, expect, test } from 'vitest';
import { ColumnBudget, DEFAULT_BUDGET } from './column-budget.js';
import type { FieldType } from './fields.js';
import { encode, rowsOf } from './testing/encode.js';

const use = (field: string, count = 1, type: FieldType = 'string') => ({ field, type, count, bytes: 8 * count });
const limits = { ...DEFAULT_BUDGET, softColumns: 3, hardColumns: 5, share: 0.1 };

describe('a column budget', () => {
  test('gives every field a column while there are few', () => {
    expect(new ColumnBudget(limits).place({ rows: 1, uses: [use('a'), use('b'), use('c')] })).toEqual([
      true,
      true,
      true,
    ]);
  });
  test('gives the last columns to the most frequent fields', () => {
    const budget = new ColumnBudget(limits);
    expect(budget.place({ rows: 9, uses: [use('a', 1), use('b', 9), use('c', 2), use('d', 3)] })).toEqual([
      false,
      true,
      true,
      true,
    ]);
    expect([...budget.columns]).toEqual(['b#s', 'd#s', 'c#s']);
  });
  test('keeps a column for later batches, per type', () => {
    const budget = new ColumnBudget(limits, ['_time', 'a#s', 'b#i', 'c#s']);
    expect(budget.place({ rows: 1, uses: [use('a'), use('a', 1, 'integer'), use('d')] })).toEqual([true, false, false]);
  });
  test('beyond the soft limit takes in what proves frequent, up to the hard limit', () => {
    const budget = new ColumnBudget(limits, ['a#s', 'b#s', 'c#s']);
    const place = (...counts: number[]) =>
      budget.place({ rows: 500, uses: counts.map((count, n) => use(`n${n}`, count)) });
    expect(place(400, 10, 300, 200)).toEqual([false, false, false, false]);
    expect(place(400, 10, 300, 200)).toEqual([true, false, true, false]);
    expect(place(400, 10, 300, 500)).toEqual([true, false, true, false]);
  });
  test('gives none to rare fields of a large batch that do not all fit', () => {
    const budget = new ColumnBudget(limits);
    const many = Array.from({ length: 10 }, (_, n) => use(`rare${n}`));
    expect(budget.place({ rows: 1000, uses: [...many, use('common', 500)] }).indexOf(true)).toBe(10);
    // Nor when they arrive one by one afterwards.
    expect(budget.place({ rows: 1, uses: [use('rare0'), use('common')] })).toEqual([false, true]);
    expect([...budget.columns]).toEqual(['common#s']);
  });
  test('gives none for what may be chance, and one to what stays as frequent', () => {
    const budget = new ColumnBudget(limits, ['a#s', 'b#s', 'c#s'], true);
    const place = () => budget.place({ rows: 1000, uses: [use('tenth', 110), use('seventh', 140)] });
    expect(place()).toEqual([false, true]);
    for (let batch = 2; batch < 9; batch++) expect(place()).toEqual([false, true]);
    expect(place()).toEqual([true, true]);
  });
  test('gives hardly any of a thousand equally rare fields a column', () => {
    const rare = { ...DEFAULT_BUDGET, softColumns: 0 };
    const budget = new ColumnBudget(rare);
    let seed = 1;
    const random = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
    for (let batch = 0; batch < 20; batch++) {
      const counts = new Uint32Array(1000);
      // Five values in each of a thousand rows: every field is in one of two hundred.
      for (let value = 0; value < 5000; value++) counts[Math.floor(random() * 1000)]!++;
      budget.place({ rows: 1000, uses: [...counts].map((count, n) => use(`n${n}`, count)) });
    }
    expect(budget.columns.size).toBeLessThan(3);
  });
  test('has room for fields that have columns', () => {
    const budget = new ColumnBudget(limits, ['a#s', 'b#s']);
    expect(budget.place({ rows: 1000, uses: [use('a'), use('b'), use('c')] })).toEqual([true, true, true]);
  });
  test('goes on as before where fields have overflowed', () => {
    const budget = new ColumnBudget(limits, ['a#s'], true);
    expect(budget.place({ rows: 1, uses: [use('a'), use('b')] })).toEqual([true, false]);
    expect(budget.place({ rows: 1000, uses: [use('b', 500)] })).toEqual([true]);
  });
  test('always has a column for a declared map', () => {
    const budget = new ColumnBudget({ ...limits, hardColumns: 0, softColumns: 0 });
    expect(budget.place({ rows: 1, uses: [use('m', 1, 'map'), use('m')] })).toEqual([true, false]);
  });
  test('is absent for a name with a NUL', () => {
    expect(new ColumnBudget().place({ rows: 1, uses: [use('a\0b')] })).toEqual([false]);
  });
  test('does not spread rare values over a large batch', () => {
    const budget = new ColumnBudget({ ...DEFAULT_BUDGET, fillBytes: 1000 });
    expect(budget.place({ rows: 1000, uses: [use('rare'), use('common', 900)] })).toEqual([true, true]);
    const many = Array.from({ length: 100 }, (_, n) => use(`rare${n}`));
    const placed = budget.place({ rows: 1000, uses: [...many, use('common', 900)] });
    expect(placed.at(-1)).toBe(true);
    expect(placed.filter((own) => own).length).toBeLessThan(20);
  });
  test('does not count a field in batches where it is far below the share', () => {
    const crowdedBudget = () => new ColumnBudget(limits, ['a#s', 'b#s', 'c#s'], true);
    const last = (...counts: number[]) => {
      const budget = crowdedBudget();
      return counts.map((count) => budget.place({ rows: 1000, uses: [use('n', count)] })[0]).at(-1);
    };
    // More than a tenth of all rows in either case.
    expect(last(49, 49, 270)).toBe(false);
    expect(last(50, 50, 270)).toBe(true);
  });
  test('forgets rare candidates', () => {
    const budget = new ColumnBudget({ ...limits, candidates: 10 }, ['a#s', 'b#s', 'c#s']);
    for (let batch = 0; batch < 20; batch++) {
      const noise = Array.from({ length: 50 }, (_, n) => use(`noise ${batch} ${n}`, 60));
      budget.place({ rows: 1000, uses: [...noise, use('steady', 600)] });
    }
    expect([...budget.columns].at(-1)).toBe('steady#s');
    expect(budget.columns.size).toBe(4);
  });
});

test('a hundred thousand names take little time and memory', () => {
  const lines = Array.from(
    { length: 100_000 },
    (_, n) => `{"common":${n},"name ${n}":${n % 10},"other ${n % 5000}":"x"}`,
  );
  const body = Buffer.from(lines.join('\n'));
  const budget = new ColumnBudget();
  const before = process.memoryUsage();
  const start = process.cpuUsage();
  const result = encode(body, { placement: budget, limits: { maxRequestFields: 200_000 } });
  const { user, system } = process.cpuUsage(start);
  // In practice a fraction of this; a cost per name and row would take minutes and gigabytes.
  expect((user + system) / 1000).toBeLessThan(20_000);
  const after = process.memoryUsage();
  expect(after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers).toBeLessThan(512 << 20);
  expect(result.uses).toHaveLength(105_001);
  expect(budget.columns.size).toBeLessThanOrEqual(DEFAULT_BUDGET.hardColumns);
  expect(result.block.columns.reduce((sum, { data }) => sum + data.length, 0)).toBeLessThan(256 << 20);
  const last = rowsOf({
    ...result,
    block: { rows: result.block.rows, columns: result.block.columns.slice(-1) },
  })[99_999];
  expect(last).toEqual({ _overflow: { 'name 99999#i': '9', 'other 4999#s': 'x' } });
}, 120_000);
