import { expect, test } from 'vitest';
import type { Catalog } from '../model/catalog.js';
import { compileText } from '../testing/compile-text.js';

const union = (parts: readonly string[]): string => `union ${parts.join(', ')} | count`;
const prints = (count: number): string[] => Array.from({ length: count }, (_, i) => `(print x = ${i})`);

/** As many datasets without fields as a wildcard should match. */
const datasets = (count: number): Catalog => {
  const names = Array.from({ length: count }, (_, i) => `d${i}`);
  return { names, dataset: (name) => ({ name, database: 'db', table: name, fields: new Map() }) };
};

test('datasets that a wildcard finds count too', () => {
  expect(compileText('d* | count', { catalog: datasets(1000) }).kind).toBe('compiled');
  const { diagnostics } = compileText('d* | count', { catalog: datasets(1001) });
  expect(diagnostics).toEqual([expect.objectContaining({ code: 'limit' })]);
});

test.each([
  ['of their own', (count: number) => union(prints(count))],
  ['by let', (count: number) => `let one = print x = 1; ${union(Array.from({ length: count }, () => 'one'))}`],
])('a query reads a thousand tables and no more: %s', (_, query) => {
  expect(compileText(query(1000)).kind).toBe('compiled');
  const refused = compileText(query(1003));
  expect(refused.kind).toBe('failed');
  expect(refused.diagnostics.map(({ code, message }) => [code, message])).toEqual([
    ['limit', expect.stringContaining('at most 1000 tables')],
  ]);
});
