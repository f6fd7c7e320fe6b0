import { expect, test } from 'vitest';
import { compileOrThrow } from '../../testing/compile-text.js';

const warnings = (test: string): readonly string[] =>
  compileOrThrow(`datatable(g: string, n: long)["a", 1] | where ${test}`).diagnostics.map(({ message }) => message);

test.each([
  ['g == null', 'nothing equals null, null included; isnull(g) tells whether there is a value'],
  ['null == g', 'nothing equals null, null included; isnull(g) tells whether there is a value'],
  ['g == string(null)', 'nothing equals null, null included; isnull(g) tells whether there is a value'],
  ['n != long(null)', 'everything differs from null; isnotnull(n) tells whether there is a value'],
  ['g =~ string(null)', 'nothing equals null, null included; isnull(g) tells whether there is a value'],
  ['n in (null)', 'nothing equals null, null included; isnull(n) tells whether there is a value'],
  ['n !in (null)', 'everything differs from null; isnotnull(n) tells whether there is a value'],
])('%s is reported as no null test', (text, message) => expect(warnings(text)).toContain(message));

test.each(['g == "null"', 'n in (1, null)', 'isnull(g)'])('%s is no mistake', (text) =>
  expect(warnings(text)).toEqual([]),
);
