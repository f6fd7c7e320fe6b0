import { describe, expect, test } from 'vitest';
import { OutOfMemoryError, withCore } from './core.js';
import { MAX_CORE_BYTES } from './limits.js';
import { rows } from './testing/encode.js';

const MEBIBYTE = 2 ** 20;

describe('memory of the core', () => {
  test('ends at its limit, and nothing is handed out twice before', () => {
    const pieces: number[] = [];
    expect(() =>
      withCore(({ core }) => {
        for (;;) pieces.push(core.room(100 * MEBIBYTE));
      }),
    ).toThrow(OutOfMemoryError);
    expect(pieces.length).toBeGreaterThan(7);
    expect(pieces.every((at, index) => index === 0 || at >= pieces[index - 1]! + 100 * MEBIBYTE)).toBe(true);
    expect(pieces.at(-1)! + 100 * MEBIBYTE).toBeLessThanOrEqual(MAX_CORE_BYTES);
  });
  test('nor is there one piece of all of it', () =>
    expect(() => withCore(({ core }) => core.room(2 ** 31 - 1))).toThrow(OutOfMemoryError));
});

describe('after a failure', () => {
  test('of memory the next body is read as if there had been none', () => {
    expect(() => withCore(({ core }) => core.room(2 ** 31 - 1))).toThrow(OutOfMemoryError);
    expect(rows('{"a":1}\n{"a":2}')).toEqual([{ 'a#i': 1n }, { 'a#i': 2n }]);
  });
  test('in the midst of a body the next one is', () => {
    const place = (): never => {
      throw new Error('nowhere');
    };
    expect(() => rows('{"a":1,"b":"x"}', { placement: { place } })).toThrow('nowhere');
    expect(rows('{"b":1}')).toEqual([{ 'b#i': 1n }]);
  });
  test('a concurrent user gets another instance', () => {
    const place = (): readonly boolean[] => {
      expect(rows('{"inner":true}')).toEqual([{ 'inner#b': true }]);
      return [true];
    };
    expect(rows('{"outer":"x"}', { placement: { place } })).toEqual([{ 'outer#s': 'x' }]);
  });
});
