import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { JsonBytes, viewOf } from './json-bytes.js';

const writeText = (write: (out: JsonBytes) => void): string => {
  const out = new JsonBytes(0, 1 << 20, () => new Error('too many'));
  write(out);
  return out.writtenBytes().toString();
};

/** Boundary bytes of UTF-8 and JSON. */
const turns = [
  0x00, 0x1f, 0x20, 0x22, 0x5c, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc1, 0xc2, 0xe0, 0xed, 0xf0, 0xf4, 0xf5,
];

test('bytes become the string of JSON they are as UTF-8, whatever they are', () =>
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.constantFrom(...turns), fc.nat(255)), { maxLength: 30 }), (values) => {
      const bytes = Buffer.from(values);
      expect(writeText((out) => out.utf8(bytes, viewOf(bytes), 0, bytes.length))).toBe(
        JSON.stringify(bytes.toString()),
      );
    }),
    { numRuns: 2000 },
  ));

test('every character is a string of JSON', () => {
  for (let code = 0; code < 0x11_0000; code += code < 0x900 ? 1 : 61) {
    const text = `a${String.fromCodePoint(code)}bcd`;
    const bytes = Buffer.from(text);
    if (code < 0xd800 || code > 0xdfff)
      expect(writeText((out) => out.utf8(bytes, viewOf(bytes), 0, bytes.length))).toBe(JSON.stringify(text));
    expect(writeText((out) => out.string(text))).toBe(JSON.stringify(text));
  }
});

test('numbers are their digits', () =>
  fc.assert(
    fc.property(
      fc.oneof(fc.maxSafeNat(), fc.nat(), fc.constantFrom(0, 9, 10, 999_999_999, 1e9, 2 ** 53 - 1)),
      (value) => {
        expect(writeText((out) => out.digits(value))).toBe(String(value));
      },
    ),
  ));

test('a piece of any length is copied, also while the memory grows', () =>
  fc.assert(
    fc.property(fc.array(fc.nat(300), { maxLength: 20 }), (lengths) => {
      const source = Buffer.from('0123456789abcdefghijklmnopqrstuvw'.repeat(10));
      const out = new JsonBytes(0, 1 << 20, () => new Error('too many'));
      out.bytes(source);
      let expected = source.toString();
      for (const length of lengths) {
        out.piece(out, { start: 7, end: 7 + length });
        expected += source.toString('latin1', 7, 7 + length);
      }
      expect(out.writtenBytes().toString()).toBe(expected);
    }),
  ));

test('more than the most is refused', () => {
  const out = new JsonBytes(0, 10, () => new Error('too many'));
  out.ascii('0123456789');
  out.check();
  out.ascii('x');
  expect(() => out.check()).toThrow('too many');
});

test('texts that are cut off again, each a little longer than the most, are not copied each time', () => {
  const out = new JsonBytes(0, 1000, () => new Error('too many'));
  const memories = new Set<ArrayBufferLike>();
  for (let length = 1000; length < 3000; length++) {
    out.cutTo(0);
    out.ascii('x'.repeat(length));
    memories.add(out.writtenBytes().buffer);
  }
  expect(memories.size).toBeLessThan(20);
});
