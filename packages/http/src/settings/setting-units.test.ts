import { expect, test } from 'vitest';
import { humanBytes } from './setting-units.js';

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1.0 kB'],
  [1536, '1.5 kB'],
  [999_940, '999.9 kB'],
  [999_999, '1.0 MB'],
  [999_999_999, '1.0 GB'],
  [999_999_999_999_999, '1.0 PB'],
  [2e18, '2000.0 PB'],
])('%d bytes are %s', (bytes, text) => expect(humanBytes(bytes)).toBe(text));
