import { expect, test } from 'vitest';
import { durationText } from './quantity.js';

test.each([
  [0, '0 ms'],
  [999.4, '999 ms'],
  [999.7, '1.0 s'],
  [12_340, '12.3 s'],
  [59_940, '59.9 s'],
  [59_990, '1 min 0 s'],
  [119_700, '2 min 0 s'],
  [245_000, '4 min 5 s'],
])('%d milliseconds are %s', (milliseconds, text) => expect(durationText(milliseconds)).toBe(text));
