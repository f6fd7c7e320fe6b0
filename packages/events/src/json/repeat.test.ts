import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encode, rows, rowsOf } from '../testing/encode.js';
import { expectedRow, meaning } from '../testing/events.js';

/**
 * If the bytes of a member equal the previous value of its key, it is not parsed again: its column
 * repeats its last value. Events between two equal members must not change that.
 */

/** Values of a column that has a dictionary, which is where texts are repeated. */
const MANY = 300;
const many = (event: string): string => `${event}\n`.repeat(MANY);

const value = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom<unknown>('GET', 'GET /', '"', 'é', '', 1, 12, 1.5, 1e21, true, false) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(null, [], [1], {}, { a: 1 }, { b: 'GET', a: {} }) },
);
const event = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'longer name', 'a"b', 'ab'), value, {
  maxKeys: 4,
  noNullPrototype: true,
});

describe('members that come again', () => {
  test('equal the result of JSON.parse, in any order and number', () => {
    fc.assert(
      fc.property(
        fc.array(event, { minLength: 1, maxLength: 6 }),
        fc.array(fc.nat(), { minLength: 1 }),
        (kinds, picks) => {
          const events = Array.from(
            { length: MANY },
            (_, n) => kinds[(picks[n % picks.length]! + (n >> 4)) % kinds.length]!,
          );
          const texts = events.map((item, n) => JSON.stringify(item, null, n % 7 === 0 ? 1 : 0));
          expect(rows(texts.join('\n')).map(meaning)).toEqual(events.map((item) => meaning(expectedRow(item))));
        },
      ),
      { numRuns: 60 },
    );
  });

  test.each([
    ['a number that goes on', '{"a":1,"b":2}', '{"a":12,"b":2}', { 'a#i': 12n, 'b#i': 2n }],
    ['a number that ends the event', '{"a":1}', '{"a":1}', { 'a#i': 1n }],
    ['a key that goes on', '{"a":1}', '{"ab":1}', { 'ab#i': 1n }],
    ['the same member twice', '{"a":"x"}', '{"a":"x","a":"x"}', { 'a#s': 'x' }],
    [
      'a new value again and again',
      '{"a":"x","a":"x","a":"x","b":1}',
      '{"a":"y","a":"y","a":"y","b":1}',
      { 'a#s': 'y', 'b#i': 1n },
    ],
    ['another value and then the same again', '{"a":"x"}', '{"a":"y","a":"x"}', { 'a#s': 'x' }],
    ['null and then the same again', '{"a":"x"}', '{"a":null,"a":"x"}', { 'a#s': 'x' }],
    ['another type and then the same again', '{"a":"x"}', '{"a":1,"a":"x"}', { 'a#s': 'x' }],
    ['a field two keys lead to', '{"a.b":"x","a":{"b":"y"}}', '{"a":{"b":"y"},"a.b":"x"}', { 'a.b#s': 'x' }],
    ['an empty object', '{"a":{},"b":1}', '{"a":{},"b":1}', { 'a#j': '{}', 'b#i': 1n }],
  ])('%s', (_, before, event, expected) => {
    const all = rows(many(before) + event);
    expect(all).toHaveLength(MANY + 1);
    expect(all.at(-1)).toEqual(expected);
  });

  test('do not outlive the event that brought the value and failed', () => {
    for (const broken of ['{"a":"x","b":2,"b":}', '{"a":"z","b":2 3}', '{"a":"z"', '{"a":"x","_time":"never"}']) {
      const result = encode(`${many('{"a":"x","b":1}')}${broken}\n{"a":"z","b":2}\n{"a":"x","b":1}\n`);
      expect(result.failed).toBe(1);
      expect(rowsOf(result).slice(-2)).toEqual([
        { 'a#s': 'z', 'b#i': 2n },
        { 'a#s': 'x', 'b#i': 1n },
      ]);
    }
  });

  test('are labels separate from those of the event', () => {
    const labels = Buffer.from('{"a":"label","l":1}');
    const all = rows(many('{"a":"x"}\n{"b":"y"}'), { labels });
    expect(all).toEqual(
      Array.from({ length: MANY }, () => [
        { 'a#s': 'x', 'l#i': 1n },
        { 'a#s': 'label', 'l#i': 1n, 'b#s': 'y' },
      ]).flat(),
    );
  });

  test('stop at the end of the body', () => {
    const result = encode(`${many('{"a":"xyz"}')}{"a":"xy`);
    expect([result.ingested, result.failed]).toEqual([MANY, 1]);
  });
});
