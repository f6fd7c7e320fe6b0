import { expect, test } from 'vitest';
import { effectiveContentType } from './media-type.js';

test.each([
  ['', undefined],
  [' ', undefined],
  ['json', 'application/json'],
  ['NDJSON; charset=utf-8', 'application/x-ndjson'],
  ['csv', 'text/csv'],
  ['text/csv; header=present', 'text/csv; header=present'],
  ['nonsense', 'nonsense'],
  ['constructor', 'constructor'],
])('%j means %j', (sent, meant) => expect(effectiveContentType(sent)).toBe(meant));
