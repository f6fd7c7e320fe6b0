import { printQuery } from '@millrace/sql';
import { expect, it } from 'vitest';
import { compileOrThrow, compileText } from '../../testing/compile-text.js';
import { catalogWithoutTable } from '../../testing/tableless.js';

// An object that is sometimes empty leaves a `{}`, in a column that otherwise holds arrays.
const catalog = catalogWithoutTable('logs', { tags: 'array', opts: 'array', 'opts.a': 'long' });

it.each([
  ['tags.b', 'type_mismatch'],
  ['tags["b"]', 'type_mismatch'],
  ['opts.b', 'missing_column'],
  ['opts["b"]', 'missing_column'],
])('%s: reported as the key of an array, or as no member: %s', (path, code) => {
  const { diagnostics } = compileText(`logs | where ${path} == 1`, { catalog });
  expect(diagnostics.map((found) => found.code)).toEqual([code]);
});

const flat = catalogWithoutTable('logs', {
  'geo.city': 'string',
  opts: 'array',
  'opts.a': 'long',
  custom: 'dynamic',
  'custom.k': 'long',
});
const countOf = (filter: string) => compileOrThrow(`logs | where ${filter} | count`, { catalog: flat });

it.each([
  ["['geo']['city'] == 'x'", "geo.city == 'x'"],
  ["geo['city'] == 'x'", "geo.city == 'x'"],
  ["['opts']['a'] == 1", "['opts.a'] == 1"],
  ["['geo\\\\.city'] == 'x'", "['geo.city'] == 'x'"],
])('%s is read as %s', (path, column) => {
  const found = countOf(path);
  expect(found.diagnostics.filter(({ severity }) => severity !== 'hint')).toEqual([]);
  expect(printQuery(found.query)).toBe(printQuery(countOf(column).query));
});

it('an object of that name is read where an event has no column', () => {
  const sql = printQuery(countOf("['custom']['k'] == 1").query);
  expect(sql).toBe(printQuery(countOf("['custom.k'] == 1").query));
  expect(sql).toContain('JSON');
});

it('a name that is empty is shown in quotes', () => {
  expect(compileText("print a = ['']").diagnostics.map(({ message }) => message)).toEqual(["no column ['']"]);
});

it('a key that is no column either is reported', () => {
  const { diagnostics } = compileText("logs | where ['geo']['zip'] == 'x'", { catalog: flat });
  expect(diagnostics.map(({ message }) => message)).toEqual(["no column geo.zip; did you mean ['geo.city']?"]);
});
