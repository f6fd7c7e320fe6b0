import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Block } from './block.js';
import { DICTIONARY_STRING } from '../fields.js';
import { joinBlocks } from './join.js';
import { encode, nowhere } from '../testing/encode.js';
import { readBlock } from '../testing/read-block.js';

/** The joined block, its pieces put together. */
const joinPieces = (blocks: readonly Block[]): Block => ({
  rows: blocks.reduce((sum, { rows }) => sum + rows, 0),
  columns: joinBlocks(blocks).map(({ name, type, pieces }) => ({ name, type, data: Buffer.concat(pieces) })),
});

const typesOf = ({ columns }: Block) => columns.map(({ name, type }) => [name, type]);

/** Events enough for dictionaries. */
const blockOf = (event: (n: number) => object, rows = 1000): Block =>
  encode(Array.from({ length: rows }, (_, n) => JSON.stringify(event(n))).join('\n')).block;

describe('joined blocks', () => {
  const value = fc.oneof(fc.integer(), fc.double({ noNaN: true }), fc.boolean(), fc.string(), fc.constant([1, 'é']));
  const event = fc.dictionary(fc.constantFrom('a', 'b', 'c'), value, { noNullPrototype: true });
  test('have the rows of all, of every type, where blocks lack columns and where values overflow', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.array(event, { maxLength: 6 }), fc.boolean()), { maxLength: 5 }), (bodies) => {
        const blocks = bodies.map(
          ([events, overflows]) => encode(JSON.stringify(events), overflows ? { placement: nowhere } : {}).block,
        );
        const whole = blocks.filter(({ rows }) => rows > 0);
        expect(readBlock(joinPieces(whole))).toEqual(whole.flatMap(readBlock));
      }),
      { numRuns: 300 },
    );
  });
  test('have one dictionary of all keys, with null for rows that have none', () => {
    const blocks = [
      blockOf((n) => (n % 3 === 0 ? {} : { s: `v${n % 20}` })),
      blockOf((n) => ({ other: n })),
      blockOf((n) => ({ s: `v${10 + (n % 30)}` })),
    ];
    expect(typesOf(joinPieces(blocks))).toContainEqual(['s#s', DICTIONARY_STRING]);
    // Reading also rejects a key that occurs twice.
    expect(readBlock(joinPieces(blocks))).toEqual(blocks.flatMap(readBlock));
  });
  test.each([
    [250, 1, 1],
    [250, 3, 2],
    [20_000, 3, 2],
    [20_000, 4, 4],
  ])('have indexes wide enough: %i keys in each of %i blocks take %i bytes', (keys, count, width) => {
    const blocks = Array.from({ length: count }, (_, block) =>
      blockOf((n) => ({ s: `${block} ${Math.floor(n / 4)}` }), keys * 4),
    );
    for (const block of blocks) expect(typesOf(block)).toContainEqual(['s#s', DICTIONARY_STRING]);
    const whole = joinPieces(blocks);
    expect(1 << whole.columns.find(({ name }) => name === 's#s')!.data[8]!).toBe(width);
    const values = (rows: readonly Record<string, unknown>[]) => rows.map((row) => row['s#s']).join('\n');
    expect(values(readBlock(whole)) === values(blocks.flatMap(readBlock))).toBe(true);
  });
});

test.each([
  [2000, 1000, DICTIONARY_STRING],
  [1000, 2000, 'Nullable(String)'],
])('texts of %i rows with a dictionary and %i without are as most are', (repeating, unique, type) => {
  const blocks = [
    blockOf((n) => ({ s: `v${n % 20}` }), repeating),
    blockOf((n) => ({ other: n })),
    blockOf((n) => (n % 5 === 0 ? {} : { s: n % 7 === 0 ? 'v3' : `only ${n}` }), unique),
  ];
  const whole = joinPieces(blocks);
  expect(typesOf(whole)).toContainEqual(['s#s', type]);
  expect(readBlock(whole)).toEqual(blocks.flatMap(readBlock));
});
