import { createHash } from 'node:crypto';
import { DEFAULT_LIMITS, encodeJson } from '@millrace/events';
import { expect, it } from 'vitest';
import { isShort } from './batch-size.js';

/**
 * One event per text, all different, so that no dictionary is created; null stands for an event
 * without a text.
 */
const blockOf = (texts: readonly (string | null)[]) =>
  encodeJson(Buffer.from(JSON.stringify(texts.map((text, id) => (text === null ? { id } : { id, text })))), {
    arrivalTime: 1n,
    mapFields: new Set(),
    placement: { place: ({ uses }) => uses.map(() => true) },
    limits: DEFAULT_LIMITS,
  });

const texts = (length: number, count = 60) => Array.from({ length: count }, (_, i) => String(i).padStart(length, '-'));
/** Sentences of a given length in bytes. */
const sentences = (length: number, count = 60) =>
  Array.from({ length: count }, (_, i) => `no ${i} was found in any of the ${'x'.repeat(length)}`.slice(0, length));
const hex = (length: number, count: number): string[] =>
  Array.from({ length: count }, (_, i) => createHash('sha256').update(String(i)).digest('hex').slice(0, length));
const none = (count: number) => Array.from({ length: count }, () => null);

it.each<readonly [string, boolean, readonly (readonly (string | null)[])[]]>([
  ['keys', true, [texts(2)]],
  ['48 bytes', true, [texts(48)]],
  ['49 bytes', false, [texts(49)]],
  ['bodies', false, [texts(5000)]],
  ['bytes, not characters', false, [texts(30).map((text) => text.replaceAll('-', '–'))]],
  ['a short mean', true, [[...texts(4), ...texts(80)]]],
  ['a long mean', false, [[...texts(4), ...texts(120)]]],
  ['long values of few rows', false, [[...texts(60), ...none(1000)]]],
  ['short values of few rows', true, [[...texts(40), ...none(1000)]]],
  ['batches that are long together', false, [texts(4, 20), texts(120)]],
  ['batches that are short together', true, [texts(4), none(1), texts(120, 20)]],
  ['sentences', true, [sentences(120)]],
  ['long sentences', false, [sentences(121)]],
  ['keys with a space', false, [texts(60).map((text) => text.replace('-', ' '))]],
  ['sentences of few rows', true, [[...sentences(100), ...none(1000)]]],
  ['many sentences', true, [sentences(100, 3000)]],
  ['many keys with a space', false, [texts(100, 3000).map((text) => text.replace('-', ' '))]],
  ['sentences behind keys', true, [[...texts(60, 1500), ...sentences(119, 3000)]]],
  ['a few sentences behind keys', false, [[...texts(60, 3000), ...sentences(119, 1000)]]],
  ['many short ones without a dictionary', true, [texts(40, 3000)]],
  ['many long ones without a dictionary', false, [texts(60, 3000)]],
  ['identifiers of traces in hexadecimal', false, [[...hex(32, 900), ...none(100)]]],
  ['identifiers of spans in hexadecimal', false, [hex(16, 100)]],
  ['few of them among rows without a value', false, [[...hex(16, 100), ...none(900)]]],
  ['UUIDs', false, [hex(32, 100).map((id) => id.replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'))]],
  ['short codes in hexadecimal', true, [hex(8, 100)]],
  [
    'addresses',
    true,
    [hex(8, 100).map((id) => `10.${parseInt(id.slice(0, 2), 16)}.0.${parseInt(id.slice(2, 4), 16)}:443`)],
  ],
])('%s: %s', (_, short, batches) => expect(isShort('text#s', batches.map(blockOf))).toBe(short));
