import { expect, test } from 'vitest';
import { compileText } from '../testing/compile-text.js';

const columns = (count: number): string =>
  `print s = "x" | extend ${Array.from({ length: count }, (_, i) => `v${i} = parse_url(s)`).join(', ')}`;

test('a statement that the engine cannot plan in time is refused', () => {
  expect(compileText(columns(100)).kind).toBe('compiled');
  const text = columns(2000);
  expect(compileText(text).diagnostics).toEqual([
    expect.objectContaining({ code: 'limit', span: { start: 0, end: text.length } }),
  ]);
});

test('values do not count', () => {
  const values = Array.from({ length: 40_000 }, (_, i) => i).join(', ');
  expect(compileText(`print a = 1 | where a in (${values})`).kind).toBe('compiled');
});

test('their texts do: an operator may repeat a text in all that it makes of it', () => {
  const print = (length: number): string => `let x = "${'x'.repeat(length)}"; print ${calls(40)}`;
  const calls = (count: number): string => Array.from({ length: count }, (_, i) => `a${i} = parse_url(x)`).join(', ');
  expect(compileText(print(1000)).kind).toBe('compiled');
  expect(compileText(print(300_000)).diagnostics).toEqual([expect.objectContaining({ code: 'limit' })]);
});
