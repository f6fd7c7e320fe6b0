import { describe, expect, it, test } from 'vitest';
import { BudgetExceeded, consumeEach, consume, withBudget } from './compile-budget.js';
import { compileText } from '../testing/compile-text.js';

describe('effort', () => {
  it('cancels a query that exceeds its granted resources', () => {
    expect(withBudget(3, () => consume(3))).toBeUndefined();
    expect(() => withBudget(3, () => [...consumeEach([1, 2, 3, 4], 1)])).toThrow(BudgetExceeded);
  });

  it('has no separate limit and no limit that an inner one can raise', () => {
    expect(consume(1e9)).toBeUndefined();
    expect(() => withBudget(3, () => withBudget(100, () => consume(4)))).toThrow(BudgetExceeded);
  });
});

const many = (count: number, part: (i: number) => string, between = ' '): string =>
  Array.from({ length: count }, (_, i) => part(i)).join(between);

/** A tenth of the server's effort limit in the main thread. */
const little = 200;

test('what people ask takes little', () => {
  const query =
    'print a = 1, s = "x" | where s has "x" and a > 0 | summarize n = count(), percentile(a, 95) by s | top 10 by n';
  expect(withBudget(little, () => compileText(query)).kind).toBe('compiled');
});

/** Each takes long in some part of the compiler; all of these parts must count their work. */
test.each([
  ['reading', `print a = 1 ${'| take 10 '.repeat(4000)}`],
  ['unknown functions', `print ${many(500, (i) => `counter${i}(1)`, ', ')}`],
  ['unknown columns', `print a = 1 | project ${many(500, (i) => `col${i}`, ', ')}`],
  ['operators', `print a = 1 ${many(500, (i) => `| extend b${i} = a`)}`],
  [
    'functions of functions',
    `let f0 = (x: long) { x + 1 }; ${many(8, (i) => `let f${i + 1} = (x: long) { f${i}(x) * f${i}(x) };`)} print f8(1)`,
  ],
  ['calls that become many', `print s = "x" | extend ${many(30, (i) => `v${i} = parse_url(s)`, ', ')}`],
  [
    'searches of wide tables',
    `print ${many(150, (i) => `c${i} = "x"`, ', ')} | search ${many(10, (i) => `"w${i}"`, ' or ')}`,
  ],
  ['unions of wide tables', `let t = print ${many(100, (i) => `c${i} = 1`, ', ')}; union ${many(20, () => 't', ', ')}`],
  ['steps over wide tables', `print ${many(100, (i) => `c${i} = now()`, ', ')} ${many(40, () => '| take 1')}`],
  ['definitions', many(500, (i) => `let x${i} = ${i};`) + ' print 1'],
])('%s', (_, query) => {
  expect(() => withBudget(little, () => compileText(query))).toThrow(BudgetExceeded);
});

test('no more mistakes are explained than anybody reads', () => {
  const functions = compileText(`print ${many(5000, (i) => `counter${i}(1)`, ', ')}`).diagnostics;
  expect(functions).toHaveLength(50);
  const operators = compileText(`print 1 ${many(5000, (i) => `| whera${i} a`)}`).diagnostics;
  expect(operators.filter(({ severity }) => severity === 'error')).toHaveLength(50);
});
