import { expect, test } from 'vitest';
import { bytesOf, durationOf } from './units.js';

test.each([
  ['1h30m', 5.4e12],
  ['1.5s', 1.5e9],
  ['-20ms', -2e7],
  ['0', 0],
  ['5', undefined],
  ['', undefined],
  ['1x', undefined],
])('duration %s', (text, expected) => {
  expect(durationOf(text)).toBe(expected);
});

test.each([
  ['5', 5],
  ['1KB', 1000],
  ['1.5 kib', 1536],
  ['2MiB', 2_097_152],
  ['3gb', 3e9],
  ['1ib', undefined],
  ['many', undefined],
])('size %s', (text, expected) => {
  expect(bytesOf(text)).toBe(expected);
});
