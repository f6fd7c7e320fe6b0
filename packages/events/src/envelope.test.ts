import { describe, expect, test } from 'vitest';
import type { Envelope } from './encode.js';
import { encode, errors, rows } from './testing/encode.js';
import { readBlock } from './testing/read-block.js';

/** Events within envelopes, which are read in one pass. */

const envelope: Envelope = { event: 'event', text: '_raw', more: 'fields', fields: ['host', 'source'] };
const changes = { envelope, timestampField: 'time' };

describe('what an envelope becomes', () => {
  test.each<[string, object]>([
    ['{"event":{"a":1,"b":{"c":"x"}}}', { 'a#i': 1n, 'b.c#s': 'x' }],
    ['{"event":"a line"}', { '_raw#s': 'a line' }],
    ['{"event":{}}', {}],
    ['{"host":"h","event":{"a":1},"source":"s"}', { 'host#s': 'h', 'a#i': 1n, 'source#s': 's' }],
    // The envelope's time is not a field of the event, but the event's own `time` is.
    ['{"time":1790000000,"event":{"time":5}}', { 'time#i': 5n }],
    ['{"event":{"a":1},"fields":{"b":2,"d":{"e":3}}}', { 'a#i': 1n, 'b#i': 2n, 'd.e#i': 3n }],
    ['{"fields":{},"event":{"a":1}}', { 'a#i': 1n }],
    // Unknown members are ignored, whatever their value.
    ['{"other":{"x":[1]},"event":{"a":1},"index":"i","fields":7}', { 'a#i': 1n }],
    // The event wins, wherever it is.
    ['{"host":"h","fields":{"a":2},"event":{"a":1,"host":"own"}}', { 'a#i': 1n, 'host#s': 'own' }],
    ['{"event":{"a":1,"host":"own"},"host":"h","fields":{"a":2}}', { 'a#i': 1n, 'host#s': 'own' }],
    ['{"event":{"event":{"x":1},"fields":{"y":2}}}', { 'event.x#i': 1n, 'fields.y#i': 2n }],
    ['{"host":["a"],"event":{}}', { 'host#j': '["a"]' }],
    ['{"host":{"name":"a"},"event":{}}', { 'host.name#s': 'a' }],
  ])('%s', (body, row) => expect(rows(body, changes)).toEqual([row]));
});

test.each([
  [1_790_000_000, '1790000000'],
  [1_790_000_000.5, '1790000000.5'],
  [1_790_000_000.123, '1790000000.123000000'],
])('a time of %d seconds', (seconds, text) => {
  const { block } = encode(`{"time":${text},"event":{}}`, changes);
  expect(readBlock(block)[0]!['_time']).toBe(BigInt(Math.round(seconds * 1000)) * 1_000_000n);
});

test('parses nanoseconds of a fraction exactly; invalid numbers use the general parser', () => {
  const timeOf = (text: string) => readBlock(encode(`{"time":${text},"event":{}}`, changes).block)[0]!['_time'];
  expect(timeOf('1433188255.500123456')).toBe(1_433_188_255_500_123_456n);
  expect(timeOf('1433188255.5001234567')).toBe(1_433_188_255_500_123_456n);
  expect(timeOf('1433188255.5e0')).toBe(1_433_188_255_500_000_000n);
  expect(timeOf('1433188255500.5')).toBe(1_433_188_255_500_500_000n);
  expect(timeOf('"2026-09-21T14:13:20Z"')).toBe(1_790_000_000_000_000_000n);
});

describe('an entry that is no envelope with an event fails alone', () => {
  test.each([
    ['{"host":"h"}', `expected an envelope with an event, found '{'`],
    ['{"event":""}', `expected an event, which is an object or a text, found '"'`],
    ['{"event":7}', `expected an event, which is an object or a text, found '7'`],
    ['{"event":null}', `expected an event, which is an object or a text, found 'n'`],
    ['{"event":[]}', `expected an event, which is an object or a text, found '['`],
  ])('%s', (body, error) => {
    const all = `{"event":{"a":1}}\n${body}\n{"event":{"a":2}}`;
    expect(errors(all, changes)).toEqual([error]);
    expect(encode(all, changes).ingested).toBe(2);
  });
});

test('bodies with and without envelopes take turns', () => {
  for (const _ of [1, 2]) {
    expect(rows('{"event":{"a":1},"host":"h"}', changes)).toEqual([{ 'a#i': 1n, 'host#s': 'h' }]);
    expect(rows('{"event":{"a":1},"host":"h"}')).toEqual([{ 'event.a#i': 1n, 'host#s': 'h' }]);
  }
});
