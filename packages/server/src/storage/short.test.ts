import { DEFAULT_LIMITS, encodeJson } from '@millrace/events';
import { expect, it } from 'vitest';
import { isShort } from './short.js';

/** One event a text, each different, so that no dictionary is made; null is an event without one. */
const blockOf = (texts: readonly (string | null)[]) =>
  encodeJson(Buffer.from(JSON.stringify(texts.map((text, id) => (text === null ? { id } : { id, text })))), {
    arrivalTime: 1n,
    mapFields: new Set(),
    placement: { place: ({ uses }) => uses.map(() => true) },
    limits: DEFAULT_LIMITS,
  });

const texts = (length: number, count = 60) => Array.from({ length: count }, (_, i) => String(i).padStart(length, '-'));
const check = (expected: boolean, ...batches: readonly (readonly (string | null)[])[]) =>
  expect(isShort('text#s', batches.map(blockOf))).toBe(expected);

it('up to 48 bytes a text is short', () => {
  check(true, texts(2));
  check(true, texts(48));
  check(false, texts(49));
  check(false, texts(5000));
});
it('counts bytes, not characters', () =>
  check(
    false,
    texts(30).map((text) => text.replaceAll('-', '–')),
  ));
it('is a question of the mean', () => {
  check(true, [...texts(4), ...texts(80)]);
  check(false, [...texts(4), ...texts(120)]);
});
it('leaves out rows without a value', () => {
  check(false, [...texts(60), ...Array.from({ length: 1000 }, () => null)]);
  check(true, [...texts(40), ...Array.from({ length: 1000 }, () => null)]);
});
it('looks at all batches', () => {
  check(false, texts(4, 20), texts(120));
  check(true, texts(4), [null], texts(120, 20));
});
it('holds also where no dictionary was made of many rows', () => {
  check(true, texts(40, 3000));
  check(false, texts(60, 3000));
});
