import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { compile } from './compile.js';
import { functionRecord, functions, type FunctionName } from './model/functions.js';
import { ParseProblem } from './model/problems.js';
import type { ValueType } from './model/types.js';
import { ask } from './testing/memory.js';
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
