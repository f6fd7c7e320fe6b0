import { expect, test } from 'vitest';
import { matchesPattern } from './patterns.js';

const matches = (text: string, name: string): boolean =>
  matchesPattern({ text, wildcard: true, span: { start: 0, end: text.length } }, name);

test.each([
  ['*', ''],
  ['*', 'a\nb'],
  ['a*', 'a'],
  ['*a', 'ba'],
  ['a*a', 'aa'],
  ['a**b', 'ab'],
  ['a*b*c', 'a1b2bc'],
  ['*ab*ab', 'abab'],
  ['a.b*', 'a.bc'],
  [String.raw`a\**`, 'a*b'],
  [String.raw`a\\*`, String.raw`a\b`],
])('%s matches %j', (pattern, name) => expect(matches(pattern, name)).toBe(true));

test.each([
  ['a*', 'ba'],
  ['*a', 'ab'],
  ['a*a', 'a'],
  ['ab*bc', 'abc'],
  ['a*b*c', 'acb'],
  ['*ab*ab', 'aab'],
  ['a*b*b', 'ab'],
  ['a.b*', 'axb'],
  [String.raw`a\**`, 'ab'],
])('%s does not match %j', (pattern, name) => expect(matches(pattern, name)).toBe(false));

test('many stars take no longer than few', () => {
  // CPU time, because other processes may use the machine too.
  const started = process.cpuUsage();
  expect(matches(`${'*a'.repeat(6)}*b`, 'a'.repeat(100))).toBe(false);
  const { user, system } = process.cpuUsage(started);
  expect((user + system) / 1000).toBeLessThan(100);
});
