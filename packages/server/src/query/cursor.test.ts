import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatCursor, parseCursor, type RowPlace } from './cursor.js';

const place = fc.record({
  time: fc.bigInt({ min: -(1n << 63n), max: (1n << 63n) - 1n }),
  seq: fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }),
  row: fc.nat({ max: 0xffffffff }),
});

const order = (a: RowPlace, b: RowPlace): number =>
  a.time !== b.time ? (a.time < b.time ? -1 : 1) : a.seq !== b.seq ? (a.seq < b.seq ? -1 : 1) : a.row - b.row;

describe('cursors', () => {
  it('read back as what they were made of', () =>
    fc.assert(
      fc.property(place, (at) => {
        expect(parseCursor(formatCursor(at))).toEqual(at);
      }),
    ));

  it('sort as the events do', () =>
    fc.assert(
      fc.property(place, place, (a, b) => {
        const [x, y] = [formatCursor(a), formatCursor(b)];
        expect(Math.sign(x < y ? -1 : x > y ? 1 : 0)).toBe(Math.sign(order(a, b)));
      }),
    ));

  it.each([
    '',
    'x',
    '0d3wo7v7e1oii-075a8c41710018b9-0000ecc5',
    '8000000000000000-0000000000000000',
    '8000000000000000-0000000000000000-0000000g',
    "8000000000000000-0000000000000000-00000000'; --",
    'F000000000000000-0000000000000000-00000000',
  ])('refuses %j', (text) => expect(parseCursor(text)).toBeUndefined());
});
