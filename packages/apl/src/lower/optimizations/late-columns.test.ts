import { printQuery } from '@millrace/sql';
import { expect, it } from 'vitest';
import { compileOrThrow } from '../../testing/compile-text.js';
import { catalogWithoutTable } from '../../testing/tableless.js';
import { allTimes } from '../relations/scan.js';

const fields = Array.from({ length: 64 }, (_, i) => `f${i}`);
const catalog = catalogWithoutTable('logs', Object.fromEntries(fields.map((field) => [field, 'long' as const])));
/** The range of a request without bounds. */
const range = { ...allTimes, given: { start: false, end: false } };
const holdsAlways =
  /WHERE greaterOrEquals\(`_time`, fromUnixTimestamp64Nano\(toInt64\(-2208988800000000000\), 'UTC'\)\) ORDER BY/;

it.each([
  ['logs | take 100', true],
  ['logs | extend n = row_number() | take 100', true],
  ['logs | project _time, f0, f1 | take 100', false],
  // There is a condition.
  ['logs | where f0 > 1 | take 100', false],
  ['logs | summarize count() by f0', false],
])('%s: gets a condition so that columns are read late: %s', (text, late) => {
  const { query } = compileOrThrow(text, { catalog, range, rowIds: true });
  expect(holdsAlways.test(printQuery(query))).toBe(late);
});

it('gets none without row ids', () => {
  expect(compileOrThrow('logs | take 100', { catalog, range }).query.where).toBeUndefined();
});
