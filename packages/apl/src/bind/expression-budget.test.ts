import { describe, expect, test } from 'vitest';
import { compileText } from '../testing/compile-text.js';

const many = (count: number, part: (i: number) => string, between = ', '): string =>
  Array.from({ length: count }, (_, i) => part(i)).join(between);

const codes = (text: string): readonly string[] =>
  compileText(text)
    .diagnostics.filter(({ severity }) => severity === 'error')
    .map(({ code }) => code);

const rows = 'datatable (a: long, s: string) [1, "x"]';

describe('what works, and is refused where the engine would plan for long', () => {
  test.each<[string, works: number, refused: number, (count: number) => string]>([
    ['case', 1000, 20_000, (n) => `${rows} | extend z = case(${many(n, (i) => `a == ${i}, ${i}`)}, 0)`],
    ['or', 1000, 20_000, (n) => `${rows} | where ${many(n, (i) => `a == ${i}`, ' or ')}`],
    ['tests of text', 900, 2000, (n) => `${rows} | where ${many(n, (i) => `s has "x${i}"`, ' or ')}`],
    ['terms of search', 300, 400, (n) => `${rows} | search ${many(n, (i) => `"x${i}"`, ' or ')}`],
    ['tests of any field', 240, 300, (n) => `${rows} | where ${many(n, (i) => `* has "x${i}"`, ' or ')}`],
    ['has_any', 10_000, 30_000, (n) => `${rows} | where s has_any (${many(n, (i) => `"x${i}"`)})`],
    ['has_any, computed', 900, 2000, (n) => `${rows} | where s has_any (${many(n, (i) => `strcat(s, ${i})`)})`],
    ['strcat', 1000, 30_000, (n) => `${rows} | extend z = strcat(${many(n, () => 's')})`],
    ['columns', 1000, 10_000, (n) => `${rows} | extend ${many(n, (i) => `v${i} = a + ${i}`)}`],
    ['aggregates', 1000, 10_000, (n) => `${rows} | summarize ${many(n, (i) => `v${i} = sum(a + ${i})`)}`],
    ['patterns of names', 5000, 20_000, (n) => `${rows} | project-away ${many(n, (i) => `x${i}*`)}`],
    ['in', 10_000, 60_000, (n) => `${rows} | where a in (${many(n, String)})`],
    ['in, negative', 10_000, 30_000, (n) => `${rows} | where a in (${many(n, (i) => `-${i}`)})`],
    ['arrays of arrays', 10_000, 30_000, (n) => `${rows} | extend z = dynamic([${many(n, (i) => `[${i}]`)}])`],
    ['arrays', 10_000, 60_000, (n) => `${rows} | extend z = dynamic([${many(n, String)}])`],
    ['datatable', 10_000, 60_000, (n) => `datatable (a: long) [${many(n, String)}]`],
  ])('%s', (_, works, refused, query) => {
    expect(codes(query(works))).toEqual([]);
    expect(codes(query(refused))).toEqual(['limit']);
  });
});

test('the error is where it is too much', () => {
  const head = `${rows} | extend z = strcat(${many(9000, () => 's')})`;
  const [found] = compileText(`${head} | extend y = strcat(${many(9000, () => 's')})`).diagnostics;
  expect(found?.span.start).toBeGreaterThan(head.length);
});

describe('definitions that name each other often', () => {
  test('functions', () => {
    const define = (count: number): string =>
      many(count, (i) => `let f${i + 1} = (x: long) { ${many(10, () => `f${i}(x)`, ' + ')} };`, ' ');
    const query = (count: number): string =>
      `let f0 = (x: long) { x + 1 }; ${define(count)} ${rows} | extend z = f${count}(a)`;
    expect(codes(query(2))).toEqual([]);
    expect(codes(query(12))).toEqual(['limit']);
  });

  test('parameters', () => {
    const query = (depth: number): string =>
      `let f = (x: long) { x + x }; ${rows} | extend z = ${'f('.repeat(depth)}a${')'.repeat(depth)}`;
    expect(codes(query(8))).toEqual([]);
    expect(codes(query(100))).toEqual(['limit']);
  });

  test('values', () => {
    const query = (count: number): string =>
      `let x0 = rand(); ${many(count, (i) => `let x${i + 1} = x${i} + x${i};`, ' ')} ${rows} | extend z = x${count}`;
    expect(codes(query(8))).toEqual([]);
    expect(codes(query(100))).toEqual(['limit']);
  });

  test('values of tables', () => {
    const query = (count: number): string =>
      `let n = toscalar(print a = 1 ${'| where a > 0 '.repeat(300)}); ${rows} | where ${many(count, () => 'a > n', ' or ')}`;
    expect(codes(query(10))).toEqual([]);
    expect(codes(query(200))).toEqual(['limit']);
  });
});

test('missing columns without number take no time', () => {
  const { diagnostics } = compileText(`${rows} | project ${many(5000, (i) => `missing${i}`)}`);
  expect(diagnostics.length).toBeLessThan(1000);
});

test.each([
  ['aggregates', 'summarize', 'count()', 'count_2999'],
  ['columns', 'extend', 'a + 1', 'Column3000'],
])('thousands of %s of one name are numbered through', (_, operator, value, last) => {
  const result = compileText(`${rows} | ${operator} ${many(3000, () => value)}`);
  expect(result.kind === 'compiled' && result.output.at(-1)?.name).toBe(last);
});

describe('constants that double', () => {
  const twice: readonly (readonly [string, first: string, (x: string) => string])[] = [
    ['texts', '"abcdefgh"', (x) => `strcat(${x}, ${x})`],
    ['arrays', 'dynamic(["abcdefgh"])', (x) => `dynamic([${x}, ${x}])`],
    ['objects', 'dynamic({"a": "abcdefgh"})', (x) => `dynamic({"a": ${x}, "b": ${x}})`],
    ['quoted texts', '"\\[abcdefg"', (x) => `regex_quote(strcat(${x}, ${x}))`],
  ];
  const query = ([, first, next]: (typeof twice)[number], count: number): string =>
    `let x0 = ${first}; ${many(count, (i) => `let x${i + 1} = ${next(`x${i}`)};`, ' ')} print x${count}`;
  test.each(twice)('%s', (...of) => {
    expect(codes(query(of, 6))).toEqual([]);
    expect(codes(query(of, 40))).toEqual(['limit']);
  });
  test('as parameters of functions', () => {
    const define = many(30, (i) => `let f${i + 1} = (x: string) { f${i}(strcat(x, x)) };`, ' ');
    expect(codes(`let f0 = (x: string) { x }; ${define} print f30("abcdefgh")`)).toEqual(['limit']);
  });
});

test('a long text that is named often', () => {
  const query = (count: number): string =>
    `let x = "${'x'.repeat(1_000_000)}"; print ${many(count, (i) => `a${i} = x`)}`;
  expect(codes(query(5))).toEqual([]);
  expect(codes(query(100))).toEqual(['limit']);
});
