import * as fc from 'fast-check';
import type { Row } from './read-block.js';

/** Random events, and how the documented rules store them. */

const key = fc
  .oneof(fc.constantFrom('a', 'b', 'c', 'a.b', '', 'status', 'message'), fc.string({ unit: 'binary', maxLength: 12 }))
  .filter((name) => !name.startsWith('_'));
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({ minLength: 100, maxLength: 300 }),
  fc.constantFrom('GET', 'POST', '\ud800', 'x\udc00y', '\0', '"\\\n'),
);
const scalar = fc.oneof(
  text,
  fc.integer(),
  fc.maxSafeInteger(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null),
);
const { value: anyValue } = fc.letrec<{ value: unknown; object: Record<string, unknown> }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    tie('object'),
  ),
  object: fc.dictionary(key, tie('value'), { maxKeys: 5, noNullPrototype: true }),
}));
/** Any event. Names with a leading underscore are left out: reserved names have separate rules. */
export const event = fc.dictionary(key, anyValue, { maxKeys: 8, noNullPrototype: true });

/** Text as stored: lone surrogates become U+FFFD. */
const wellFormed = (text: string) => Buffer.from(text).toString();

/**
 * The row that the documented rules make of an event as JSON.parse reads it; for events without
 * duplicate names.
 */
export function expectedRow(event: Record<string, unknown>): Row {
  const row: Row = {};
  const put = (name: string, mark: string, value: unknown) => {
    for (const other of 'ifsbj') delete row[`${name}#${other}`];
    if (value === null) return;
    Object.defineProperty(row, `${name}#${mark}`, { value, enumerable: true, configurable: true });
  };
  const visit = (object: object, prefix: string) => {
    for (const [key, value] of Object.entries(object)) {
      const name = prefix + wellFormed(key);
      // JSON.parse reads numbers beyond double as infinite.
      if (value === null || value === Infinity || value === -Infinity) put(name, 's', null);
      else if (typeof value === 'string') put(name, 's', wellFormed(value));
      else if (typeof value === 'boolean') put(name, 'b', value);
      else if (typeof value === 'number') {
        const text = JSON.stringify(value);
        if (/^-?\d+$/.test(text) && BigInt(text) === BigInt.asIntN(64, BigInt(text))) put(name, 'i', BigInt(text));
        // Unsigned integers beyond the signed ones keep their digits.
        else if (/^\d+$/.test(text) && BigInt(text) === BigInt.asUintN(64, BigInt(text))) put(name, 's', text);
        else put(name, 'f', value);
      } else if (Array.isArray(value)) put(name, 'j', wellFormedJson(value));
      else if (Object.keys(value).length === 0) put(name, 'j', '{}');
      else visit(value, `${name}.`);
    }
  };
  visit(event, '');
  return row;
}

/** The normalized text of an array, for comparison with the stored one. */
const wellFormedJson = (value: unknown) => JSON.stringify(JSON.parse(JSON.stringify(value)), stringsWellFormed);

function stringsWellFormed(_key: string, value: unknown): unknown {
  if (typeof value === 'string') return wellFormed(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [wellFormed(key), item]));
}

/** A row with the text of arrays as JSON.parse prints it. */
export function meaning(row: Row): Row {
  const entries = Object.entries(row).map(([name, value]) => {
    return [name, name.endsWith('#j') ? JSON.stringify(JSON.parse(String(value))) : value] as const;
  });
  return Object.fromEntries(entries);
}
