import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { snappy } from '../testing/snappy.js';
import { unsnappy } from './snappy.js';

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

test('what was packed comes back, whatever it is', () =>
  fc.assert(
    fc.property(fc.array(fc.constantFrom('level=info ', 'x', 'abc'.repeat(30), 'é'), { maxLength: 200 }), (parts) => {
      const sent = parts.join('');
      expect(text(unsnappy(snappy(Buffer.from(sent)), 1 << 20))).toBe(sent);
    }),
  ));

test.each([
  [
    'each kind of copy',
    [13, 8, 97, 98, 99, 0b000_000_01, 3, 0b000001_10, 3, 0, 0b000010_11, 3, 0, 0, 0, 0, 97],
    'abcabcabcabca',
  ],
  ['a copy that repeats itself', [6, 0, 97, 0b000_001_01, 1], 'aaaaaa'],
])('%s', (_, bytes, result) => expect(text(unsnappy(Uint8Array.from(bytes), 100))).toBe(result));

test.each([
  ['nothing', [], 'begin with a length'],
  ['a length without end', [255, 255, 255, 255, 255, 1], 'begin with a length'],
  ['a literal that ends early', [4, 12, 97], 'ends early'],
  ['too little', [4, 0, 97], 'shorter than it says'],
  ['too much', [1, 4, 97, 98], 'longer than it says'],
  ['an offset before the beginning', [8, 0, 97, 0b000_000_01, 2], 'before its beginning'],
  ['an offset of nothing', [8, 0, 97, 0b000_000_01, 0], 'before its beginning'],
  ['more than can be', [255, 255, 3, 0, 97], 'announces more'],
])('%s is damaged', (_, bytes, problem) => expect(() => unsnappy(Uint8Array.from(bytes), 1 << 20)).toThrow(problem));

test('a block that would be too long is refused before it is decoded', () =>
  expect(() => unsnappy(Uint8Array.from([200, 1, 0, 97]), 100)).toThrow('larger than 100 bytes'));

test('any bytes are decoded or refused', () =>
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      try {
        unsnappy(bytes, 1 << 16);
      } catch (error) {
        expect(error).toMatchObject({ name: 'HttpError' });
      }
    }),
  ));
