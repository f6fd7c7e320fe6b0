import { assert, constantFrom, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { escapeNul, unescapeNul } from './escape-nul.js';

const text = string({ unit: constantFrom('\0', '\u0001', '\u0002', 'a', 'é', '😀') });

test('every text comes back, and none is stored with a NUL', () =>
  assert(
    property(text, (value) => {
      expect(escapeNul(value)).not.toContain('\0');
      expect(unescapeNul(escapeNul(value))).toBe(value);
    }),
  ));

test('the order of texts stays', () =>
  assert(
    property(text, text, (a, b) => {
      const order = (x: string, y: string): number => Buffer.compare(Buffer.from(x), Buffer.from(y));
      expect(order(escapeNul(a), escapeNul(b))).toBe(order(a, b));
    }),
  ));

test('half a pair of surrogates is stored as SQLite stores it', () => expect(escapeNul('a\ud800')).toBe('a\ufffd'));
