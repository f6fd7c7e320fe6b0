import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Work, WorkExceeded, type WorkLimits } from '@millrace/mpl';
import { compile } from './compile.js';
import { functionRecord, functions, type FunctionName } from './model/functions.js';
import { ParseProblem } from './model/problems.js';
import type { ValueType } from './model/types.js';
import type { Value } from './run/values.js';
import { ask, end, linesOf, seriesOf } from './testing/memory.js';
import { shop } from './testing/shop.js';

const words = 'sum rate ( ) [ 5m ] { } a = "x" , + - ^ by on offset @ 1 == bool or $ ` \\ é and group_left start'.split(
  ' ',
);

test('any text is an expression or has an error with its place', () => {
  let state = 3;
  const next = (): number => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31;
  let valid = 0;
  for (let i = 0; i < 3000; i++) {
    const text = Array.from({ length: Math.floor(next() * 9) }, () => words[Math.floor(next() * words.length)]).join(
      ' ',
    );
    try {
      compile(text);
      valid++;
    } catch (error) {
      expect(error, text).toBeInstanceOf(ParseProblem);
      expect((error as ParseProblem).message).toMatch(/^\d+:\d+: parse error: ./);
    }
  }
  expect(valid).toBeGreaterThan(50);
});

test.each([
  ['parentheses', '('.repeat(1000) + 'a' + ')'.repeat(1000)],
  ['a long sum', Array.from({ length: 1000 }, () => 'a').join('+')],
  ['signs', '-'.repeat(1000) + 'a'],
])('%s nest no deeper than the stack', (_, text) => {
  expect(() => compile(text)).toThrow('nest deeper than');
});

test('a modifier that is repeated 20,000 times is an error, not minutes of work', () => {
  expect(() => compile(`memory${' offset 1m'.repeat(20_000)}`)).toThrow('may be set only once');
});

const examples: Readonly<Record<ValueType, string>> = {
  scalar: '2',
  vector: 'memory',
  matrix: 'memory[5m]',
  string: '"a"',
};

test.each(Object.keys(functions) as readonly FunctionName[])('%s evaluates to its type', (name) => {
  const { args, returns } = functionRecord(name);
  const text = `${name}(${args.map((type) => examples[type]).join(', ')})`;
  expect(compile(text).type).toBe(returns);
  expect(ask(text, shop.slice(4, 5), { start: 300_000, step: 60_000, length: 3 }).kind).toBe(returns);
});

test('the documentation lists every function', () => {
  const page = readFileSync(new URL('../../../docs/metrics.md', import.meta.url), 'utf8');
  expect(Object.keys(functions).filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

/** Evaluates within limits, at one time. */
const askWithin = (text: string, limits: Partial<WorkLimits>): Value =>
  ask(text, shop, { start: 600_000, step: 1, length: 1 }, new Work({ samples: 1e5, bytes: 1e8, ...limits }));

test('work and memory of nested subqueries are limited, however few points they read', () => {
  const nested = 'max_over_time(max_over_time(memory[1h:1s])[1h:1s])';
  expect(() => askWithin(nested, {})).toThrow(new WorkExceeded('samples', 1e5));
  expect(() => askWithin('sum_over_time(memory[10h:1s])', { bytes: 1e6 })).toThrow(new WorkExceeded('bytes', 1e6));
  expect(() => askWithin('sum_over_time(memory[700d:1s])', { samples: 1e9 })).toThrow(
    'use a longer step in the subquery',
  );
  const doublingQuery = (depth: number): string =>
    depth === 0 ? 'memory' : `label_join(${doublingQuery(depth - 1)}, "a", "", "a", "a", "instance")`;
  expect(() => askWithin(doublingQuery(20), { samples: 1e6 })).toThrow(
    'shorten the labels that are joined or replaced',
  );
});

test('memory of values that are no longer needed is free', () => {
  const sum = Array.from({ length: 50 }, () => 'sum(sum_over_time(memory[1h:1s]))').join(' + ');
  expect(askWithin(sum, { samples: 1e8, bytes: 1e6 }).kind).toBe('vector');
});

test('NaN is a value, and no end of a series', () => {
  const ratio = seriesOf({ __name__: 'ratio' }, [[0, 1], [60_000, Number.NaN], [120_000, end]]); // prettier-ignore
  const lines = (text: string) => linesOf(ask(text, [ratio], { start: 0, step: 60_000, length: 3 }));
  expect(lines('ratio')).toEqual(['ratio 1 NaN _']);
  expect(lines('count_over_time(ratio[5m])')).toEqual(['{} 1 2 2']);
});
