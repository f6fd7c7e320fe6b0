import { describe, expect, test } from 'vitest';
import { queryBounds } from '../model/query-limits.js';
import { parse, parseExpression } from './parse.js';

describe('limits', () => {
  test('length', () => {
    const { diagnostics, program } = parse(`t // ${' '.repeat(queryBounds.textLength.max)}`);
    expect(diagnostics.map(({ code, severity }) => [severity, code])).toEqual([['error', 'limit']]);
    expect(program.query).toBeUndefined();
  });

  test.each<[string, (depth: number) => string]>([
    ['brackets', (depth) => `${'('.repeat(depth)}1${')'.repeat(depth)}`],
    ['open brackets', (depth) => '('.repeat(depth)],
    ['calls', (depth) => `${'f('.repeat(depth)}1${')'.repeat(depth)}`],
    ['arrays', (depth) => `dynamic(${'['.repeat(depth)}1${']'.repeat(depth)})`],
    ['bags', (depth) => `dynamic(${'{"a":'.repeat(depth)}1${'}'.repeat(depth)})`],
    ['indexes', (depth) => `${'a['.repeat(depth)}1${']'.repeat(depth)}`],
    ['signs', (depth) => `${'- '.repeat(depth)}1`],
    ['not', (depth) => `${'not '.repeat(depth)}a`],
    ['subqueries', (depth) => `${'a in (t | where '.repeat(depth)}1${')'.repeat(depth)}`],
    ['sums', (depth) => Array.from({ length: depth }, () => '1').join('+')],
    ['paths', (depth) => `a${'.b'.repeat(depth)}`],
    ['comparisons', (depth) => `a${' == b'.repeat(depth)}`],
  ])('nesting of %s', (_, nest) => {
    expect(parseExpression(nest(20_000)).diagnostics.some(({ code }) => code === 'limit')).toBe(true);
    const within = parseExpression(nest(60)).diagnostics.filter(({ code }) => code === 'limit');
    expect(within).toEqual([]);
  });

  test.each<[string, string]>([
    ['joins', 't | join ('],
    ['sources', '('],
    ['subqueries', 'a | where x in ('],
  ])('nesting of %s', (_, open) => {
    expect(parse(open.repeat(20_000)).diagnostics.some(({ code }) => code === 'limit')).toBe(true);
  });

  test('number of findings', () => {
    const { diagnostics } = parse(`t ${'| where = '.repeat(1000)}`);
    expect(diagnostics).toHaveLength(queryBounds.diagnostics.max);
  });
});
