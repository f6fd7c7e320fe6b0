import { call, column, type Expr, integer, lambda, literal, parametric } from '@millrace/sql';
import { expect, it } from 'vitest';
import { withBudget } from '../model/compile-budget.js';
import { shareSubexpression } from './shared-subexpressions.js';
import { fingerprint } from './fingerprint.js';

const different: readonly Expr[] = [
  column('a'),
  literal('a'),
  call('plus', column('a'), column('b')),
  call('plus', column('b'), column('a')),
  call('minus', column('a'), column('b')),
  call('plus', call('plus', column('a'), column('b'))),
  lambda(['a'], column('a')),
  lambda(['a', 'b'], column('a')),
  call('quantile', integer(1), column('a')),
  parametric('quantile', [integer(1)], column('a')),
];

it('is equal exactly for equal expressions', () => {
  expect(new Set(different.map(fingerprint)).size).toBe(different.length);
  for (const expr of different) expect(fingerprint(structuredClone(expr))).toBe(fingerprint(expr));
});

it('has a cost linear in the new nodes of nested expressions', () => {
  let expr: Expr = column('a');
  const large = (part: Expr): Expr => call('concat', ...Array.from({ length: 20 }, () => part), literal('x'));
  // Without sharing, the innermost would be printed 20 times as often with each level.
  withBudget(100, () => {
    for (let i = 0; i < 40; i++) expr = shareSubexpression(large(expr), (value) => call('upper', value));
  });
  expect(fingerprint(expr)).toMatch(/^[0-9a-f]{16}$/);
});
