import { expect, it } from 'vitest';
import { isApl } from './is-apl.js';

const names = ['shop', 'web-logs', 'errors view'];

it.each([
  '',
  'shop',
  'web-logs',
  'web-*',
  "['web-logs']",
  "['web-logs'] | where",
  'shop |',
  'shop | whre status',
  'unknown | take 1',
  'shop where status == 500',
  'shop\n| where msg == "a | b"',
  '// why\nshop',
  'let x = 5; shop',
  'let x =',
  'union shop, other',
  'print 1',
  'range n from 1 to 5 step 1',
  'search in (shop) "x"',
  'datatable (a: long) [1]',
  '| where status == 500',
  'where status >= 500',
  'summarize count()',
])('%j is a query', (text) => expect(isApl(text, names)).toBe(true));

it.each([
  'timeout',
  'timed out',
  '"timed out" checkout',
  'status:500 -health',
  'level=error',
  'status >= 500',
  'shop timed out',
  'parse error',
  'let me in',
  'set failed',
  'search failed',
  'order not found',
  'count',
  '"a | b"',
  '2026-11-26T10:00:00Z ERROR a | b',
  '{"level":"error"}',
  '[{"level":"error"}]',
  '4bf92f3577b34da6a3ce929d0e0e4736',
  '00f067aa0ba902b7',
  "it's broken",
])('%j is a search', (text) => expect(isApl(text, names)).toBe(false));

it('a name alone is a query until datasets are known', () => expect(isApl('timeout', undefined)).toBe(true));
