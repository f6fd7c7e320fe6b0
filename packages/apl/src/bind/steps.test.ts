import { describe, expect, test } from 'vitest';
import { queryBounds } from '../model/query-limits.js';
import { compileText } from '../testing/compile-text.js';

/** A source and so many operators, each made from its number. */
const chain = (count: number, operator: (i: number) => string): string =>
  `print a=1, s="x"${Array.from({ length: count }, (_, i) => `\n| ${operator(i)}`).join('')}`;

const limitsOf = (text: string): readonly (readonly [code: string, end: number])[] =>
  compileText(text)
    .diagnostics.filter(({ severity }) => severity === 'error')
    .map(({ code, span }) => [code, span.start]);

describe('a query of too many operators is refused at the first that is one too many', () => {
  test.each<[string, (i: number) => string]>([
    ['where', () => 'where true'],
    ['extend', () => 'extend a=a+1'],
    ['extend of new columns', (i) => `extend v${i}=1`],
    ['extend and project-away', (i) => (i % 2 === 0 ? `extend v${i}=1` : `project-away v${i - 1}`)],
    ['summarize', () => 'summarize a=sum(a)'],
    ['distinct', () => 'distinct a'],
    ['sort', () => 'sort by a'],
    ['top', () => 'top 5 by a'],
    ['mv-expand', () => 'mv-expand a'],
    ['parse', () => 'parse s with s " " *'],
    ['search', () => 'search "x"'],
    ['count', () => 'count'],
    ['subqueries', () => 'where a in ((print a=1))'],
  ])('%s', (_, operator) => {
    const many = chain(1000, operator);
    const [first, ...others] = limitsOf(many);
    expect(first?.[0]).toBe('limit');
    // There may be too many search terms before; that is also reported once.
    expect(others.map(([code]) => code)).toEqual(operator(0).startsWith('search') ? ['limit'] : []);
    const length = many.slice(0, first![1]).split('\n').length - 2;
    // Everything before it compiles.
    expect(limitsOf(chain(length, operator))).toEqual([]);
  });

  test('with those of views', () => {
    const view = chain(390, () => 'where true');
    const catalog = { names: [], dataset: () => undefined, view: () => view };
    expect(compileText('v | where true', { catalog }).kind).toBe('compiled');
    const { diagnostics } = compileText(`v${' | where true'.repeat(20)}`, { catalog });
    expect(diagnostics.map(({ code }) => code)).toContain('limit');
  });

  test('with those of functions', () => {
    const body = 'let f = (T: (*)) { T | where a > 0 };';
    const nestedQuery = (count: number): string =>
      `${body} let t0 = print a=1; ${Array.from({ length: count }, (_, i) => `let t${i + 1} = f(t${i});`).join(' ')} t${count}`;
    expect(limitsOf(nestedQuery(10))).toEqual([]);
    expect(limitsOf(nestedQuery(1000))[0]?.[0]).toBe('limit');
  });
});

test('functions that call each other nest at most nestedDefinitions deep', () => {
  const { max } = queryBounds.nestedDefinitions;
  const call = (count: number): string =>
    `let f0 = (x: long) { x }; ${Array.from({ length: count - 1 }, (_, i) => `let f${i + 1} = (x: long) { f${i}(x) };`).join(' ')} print f${count - 1}(1)`;
  expect(limitsOf(call(max))).toEqual([]);
  expect(limitsOf(call(max + 1))[0]?.[0]).toBe('limit');
});

describe('queries inside one another', () => {
  const rows = 'range a from 1 to 3 step 1';
  const inside = (count: number, around: (inner: string) => string): string =>
    Array.from({ length: count }).reduce<string>(around, rows);
  test.each<[string, (inner: string) => string]>([
    ['in', (inner) => `${rows} | where a in ((${inner}))`],
    ['toscalar', (inner) => `print a = toscalar(${inner})`],
    ['let', (inner) => `${rows} | extend b = toscalar(${inner} | count)`],
  ])('%s', (_, around) => {
    expect(limitsOf(inside(8, around))).toEqual([]);
    for (const count of [9, 30, 60]) expect(limitsOf(inside(count, around)).map(([code]) => code)).toEqual(['limit']);
  });
  test('side by side there may be more', () => {
    const tests = Array.from({ length: 400 }, () => `a in ((${rows}))`).join(' or ');
    expect(limitsOf(`${rows} | where ${tests}`)).toEqual([]);
  });
});

describe('tables that name each other twice', () => {
  const doublingQuery = (first: string, levels: number, twice: (table: string) => string): string =>
    `let t0 = ${first}; ${Array.from({ length: levels }, (_, i) => `let t${i + 1} = ${twice(`t${i}`)};`).join(' ')} t${levels}`;

  test.each<[string, (table: string) => string]>([
    ['by union', (t) => `union ${t}, ${t}`],
    ['by join', (t) => `${t} | join ${t} on a`],
    ['in conditions', (t) => `${t} | where a in ((${t}))`],
    ['as values', (t) => `print a = toscalar(${t}) + toscalar(${t})`],
  ])('%s', (_, twice) => {
    expect(limitsOf(doublingQuery('print a=1', 4, twice))).toEqual([]);
    expect(limitsOf(doublingQuery('print a=1', 40, twice))[0]?.[0]).toBe('limit');
    // A missing table counts as much.
    expect(compileText(doublingQuery('missing', 40, twice)).kind).toBe('failed');
  });

  test('with as', () => {
    const repeat = (count: number): string => chain(2 * count, (i) => (i % 2 === 0 ? `as x${i}` : `union x${i - 1}`));
    expect(limitsOf(repeat(6))).toEqual([]);
    expect(limitsOf(repeat(40))).toEqual([['limit', expect.any(Number)]]);
  });

  test('in levels of top-nested', () => {
    const nest = (count: number): string =>
      chain(1, () => Array.from({ length: count }, (_, i) => `top-nested 2 of a${i}=a by m${i}=count()`).join(', '));
    expect(limitsOf(nest(5))).toEqual([]);
    expect(limitsOf(nest(40))).toContainEqual(['limit', expect.any(Number)]);
  });

  test('each defined by the one before', () => {
    const define = (count: number): string =>
      `let t0 = print a=1; ${Array.from({ length: count }, (_, i) => `let t${i + 1} = (t${i});`).join(' ')} t${count}`;
    expect(limitsOf(define(90))).toEqual([]);
    expect(limitsOf(define(1500))[0]?.[0]).toBe('limit');
    expect(limitsOf(define(20_000))[0]?.[0]).toBe('limit');
  });
});
