import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Block } from './block.js';
import { DICTIONARY_STRING } from '../fields.js';
import { DictionaryHints } from '../columns/dictionary-heuristics.js';
import { mergeBlocks } from './merge.js';
import { type NativeBlocks, nativeBlocks } from './native.js';
import { encode, nowhere, options } from '../testing/encode.js';
import { readBlock } from '../testing/read-block.js';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const column = (block: Block, name: string) => block.columns.find((item) => item.name === name)!;
const u64 = (value: bigint | number) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(BigInt(value));
  return bytes.toString('hex');
};

describe('column bodies, byte for byte', () => {
  const { block } = encode(
    '{"_time":1700000000,"i":-2,"f":1.5,"b":true,"s":"ab","j":[1]}{}{"i":3,"b":false,"s":"","m":{"x":1}}',
    { mapFields: new Set(['m']), arrivalTime: 7n },
  );
  const body = (name: string) => [column(block, name).type, hex(column(block, name).data)];
  test('time', () => {
    expect(body('_time')).toEqual(["DateTime64(9,'UTC')", u64(1700000000000000000n) + u64(7) + u64(7)]);
  });
  test('integer', () => {
    expect(body('i#i')).toEqual(['Nullable(Int64)', `000100${u64(-2)}${u64(0)}${u64(3)}`]);
  });
  test('float', () => {
    expect(body('f#f')).toEqual(['Nullable(Float64)', `000101000000000000f83f${u64(0)}${u64(0)}`]);
  });
  test('boolean', () => {
    expect(body('b#b')).toEqual(['Nullable(Bool)', '000100010000']);
  });
  test('string', () => {
    expect(body('s#s')).toEqual(['Nullable(String)', '0001000261620000']);
  });
  test('array and map', () => {
    expect(body('j#j')).toEqual(['Nullable(String)', '000101035b315d0000']);
    expect(body('m#m')).toEqual(['Nullable(String)', '0101000000077b2278223a317d']);
  });
  test('overflow', () => {
    const { block } = encode('{"a":1,"b":"x"}{}{"a":2}', { placement: nowhere });
    expect(hex(column(block, '_overflow').data)).toBe(
      u64(2) + u64(2) + `${u64(3)}03612369036223730361236901310178${'0132'}`,
    );
  });
  test('dictionary', () => {
    const lines = Array.from({ length: 1000 }, (_, n) => (n === 1 ? '{}' : `{"s":"${n % 2 === 0 ? 'ab' : 'c'}"}`));
    const { type, data } = column(encode(lines.join('\n')).block, 's#s');
    expect(type).toBe(DICTIONARY_STRING);
    const indexes = Array.from({ length: 1000 }, (_, n) => (n === 1 ? '00' : n % 2 === 0 ? '01' : '02')).join('');
    expect(hex(data)).toBe(u64(1) + u64(0x600) + `${u64(3)}000261620163` + u64(1000) + indexes);
  });
  test('indexes of two bytes', () => {
    for (const [distinct, repeats] of [
      [300, 10],
      [20_000, 8],
    ] as const) {
      const values = Array.from({ length: distinct * repeats }, (_, n) => `v${n % distinct}`);
      // In an order in which each value comes several times before the next begins.
      values.sort();
      const { block } = encode(values.map((value) => `{"s":"${value}"}`).join('\n'));
      expect(column(block, 's#s').type).toBe(DICTIONARY_STRING);
      expect(readBlock(block).map((row) => row['s#s'])).toEqual(values);
    }
  });
});

describe('strings choose their encoding', () => {
  const typeOf = (values: readonly string[]) => {
    const { block } = encode(values.map((value) => JSON.stringify({ s: value })).join('\n'));
    expect(readBlock(block).map((row) => row['s#s'])).toEqual(values);
    return column(block, 's#s').type;
  };
  const many = (count: number, value: (n: number) => string) => Array.from({ length: count }, (_, n) => value(n));
  test('few rows stay plain', () => expect(typeOf(many(999, () => 'x'))).toBe('Nullable(String)'));
  test('repetition makes a dictionary', () => expect(typeOf(many(1000, () => 'x'))).toBe(DICTIONARY_STRING));
  test('unique values stay plain', () => expect(typeOf(many(2000, (n) => `${n}`))).toBe('Nullable(String)'));
  test('values that become unique go back to plain', () => {
    expect(typeOf(many(3000, (n) => (n < 500 ? 'x' : `é"\\${n}`)))).toBe('Nullable(String)');
  });
  test('one in four new is enough', () => {
    expect(typeOf(many(4000, (n) => `${n >> 2}`))).toBe(DICTIONARY_STRING);
  });
  test('a thousand values in random order make one in the end', () => {
    expect(typeOf(many(20_000, (n) => `${(n * 7919) % 1009}`))).toBe(DICTIONARY_STRING);
  });
  test('repetition that ends early does not make one', () => {
    expect(typeOf(many(1000, (n) => (n < 140 ? `${n % 70}` : `${n}`)))).toBe('Nullable(String)');
  });
  test('long values that differ only where the hash does not look stay apart', () => {
    const long = (n: number) => `${'a'.repeat(100)}${String.fromCodePoint(97 + (n % 20))}${'b'.repeat(400)}`;
    expect(typeOf(many(2000, long))).toBe(DICTIONARY_STRING);
  });
  test('broken events leave no entry behind', () => {
    const lines = many(2000, (n) => (n % 3 === 2 ? `{"s":"only broken ${n}","x":}` : `{"s":"v${n % 7}"}`));
    const { block, failed } = encode(lines.join('\n'));
    expect(failed).toBe(666);
    expect(column(block, 's#s').type).toBe(DICTIONARY_STRING);
    expect(Buffer.from(column(block, 's#s').data).includes('broken')).toBe(false);
    expect(readBlock(block).map((row) => row['s#s'])).toEqual(
      many(2000, (n) => (n % 3 === 2 ? '' : `v${n % 7}`)).filter((value) => value !== ''),
    );
  });
  test('a value taken back by a later one of its name leaves no entry behind', () => {
    const lines = many(2000, (n) => `{"s":"gone ${n}","s":"v${n % 5}"}`);
    const { block } = encode(lines.join('\n'));
    expect(Buffer.from(column(block, 's#s').data).includes('gone')).toBe(false);
    expect(readBlock(block).map((row) => row['s#s'])).toEqual(many(2000, (n) => `v${n % 5}`));
  });
});

describe('columns larger than a segment', () => {
  const kept = Array.from({ length: 400 }, (_, n) => String(n).repeat(1 + ((n * n) % 2500)));
  const line = (value: string, n: number) => `{"s":${JSON.stringify(value)},"dense":${n}}`;
  test('have every value, also where events fail and values are replaced in between', () => {
    const lines = kept.flatMap((value, n) => [
      line(value, n),
      `{"s":"${'broken'.repeat((n * 31) % 900)}","x":}`,
      ...(n % 50 === 0 ? ['{"dense":-1}'] : []),
    ]);
    const doubled = lines.map((text) => text.replace('{"s":', `{"s":"first ${'y'.repeat(700)}","s":`));
    for (const body of [lines, doubled]) {
      const { block, failed } = encode(body.join('\n'));
      expect(failed).toBe(400);
      expect(readBlock(block).flatMap((row) => row['s#s'] ?? [])).toEqual(kept);
    }
  });
  test('and of values larger than one', () => {
    const values = [300_000, 5, 900_000, 262_144, 262_140, 1_000_000, 3].map((length, n) => String(n).repeat(length));
    const { block } = encode(`[${values.map(line).join(',')}]`);
    expect(readBlock(block).map((row) => row['s#s'])).toEqual(values);
  });
  test('are not disturbed by the batch that follows', () => {
    const first = encode(kept.map(line).join('\n')).block;
    const before = Buffer.concat(first.columns.map(({ data }) => data)).toString('latin1');
    encode(kept.map((value, n) => line(value.toUpperCase().replaceAll('1', 'x'), n)).join('\n'));
    expect(Buffer.concat(first.columns.map(({ data }) => data)).toString('latin1')).toBe(before);
  });
});

describe('nativeBlocks', () => {
  const one = encode('{"a":1}{"a":2}', { arrivalTime: 5n }).block;
  test('of a single part, byte for byte, with its column bytes as they are', () => {
    const native = nativeBlocks([{ block: one, seq: 9n, arrival: 5n }]);
    const name = (text: string) => Buffer.from([text.length, ...Buffer.from(text)]).toString('hex');
    expect(native.columns.map((item) => item.name)).toEqual(['_sysTime', '_seq', '_row', '_time', 'a#i']);
    expect(native.rows).toBe(2);
    expect(hex(Buffer.concat(native.chunks))).toBe(
      [
        '0502',
        name('_sysTime') + name("DateTime64(9,'UTC')") + u64(5) + u64(5),
        name('_seq') + name('UInt64') + u64(9) + u64(9),
        name('_row') + name('UInt32') + '0000000001000000',
        name('_time') + name("DateTime64(9,'UTC')") + u64(5) + u64(5),
        name('a#i') + name('Nullable(Int64)') + '0000' + u64(1) + u64(2),
      ].join(''),
    );
    expect(native.chunks).toContain(column(one, 'a#i').data);
  });
  test('numbers the rows of each part', () => {
    const other = encode('{"b":"x"}').block;
    const native = nativeBlocks([
      { block: one, seq: 9n, arrival: 5n },
      { block: encode('').block, seq: 10n, arrival: 6n },
      { block: other, seq: 11n, arrival: 7n },
    ]);
    const after = (name: string) => hex(native.chunks[2 + 2 * native.columns.findIndex((item) => item.name === name)]!);
    expect(native.rows).toBe(3);
    expect(after('_seq')).toBe(u64(9) + u64(9) + u64(11));
    expect(after('_sysTime')).toBe(u64(5) + u64(5) + u64(7));
    expect(after('_row')).toBe('000000000100000000000000');
    expect(after('a#i')).toBe('000001' + u64(1) + u64(2) + u64(0));
    expect(after('b#s')).toBe('01010000000178');
  });
  const large = (text: (n: number) => string) =>
    encode(Array.from({ length: 1000 }, (_, n) => `{"s":"${text(n)}"}`).join('\n')).block;
  const [same, unique] = [large(() => 'x'), large((n) => `${n}`)];
  const numberBlocks = (blocks: readonly Block[]) => blocks.map((block, n) => ({ block, seq: BigInt(n), arrival: 1n }));
  /** Columns and rows of each block. */
  const headsOf = ({ chunks }: NativeBlocks, heads: readonly string[]) =>
    chunks.map(hex).filter((chunk) => heads.includes(chunk));
  test('joins large parts and merged small ones', () => {
    const native = nativeBlocks(numberBlocks([one, one, same, one, unique, unique]));
    expect(native.rows).toBe(3006);
    // The type most rows have.
    expect(native.columns.find((item) => item.name === 's#s')!.type).toBe('Nullable(String)');
    expect(native.columns.map((item) => item.name)).toEqual(['_sysTime', '_seq', '_row', '_time', 'a#i', 's#s']);
    expect(headsOf(native, ['0504', '05e807', '0502', '06be17'])).toEqual(['06be17']);
  });
  test('does not copy the values of large parts', () => {
    const { chunks } = nativeBlocks(numberBlocks([unique, unique]));
    const { buffer } = column(unique, 's#s').data;
    expect(chunks.filter((chunk) => chunk.buffer === buffer && chunk.length === 1000)).toHaveLength(2);
  });
  test('begins a block when the one before has enough rows', () => {
    const native = nativeBlocks(numberBlocks([unique, unique, unique, unique, unique]), { blockRows: 1500 });
    expect(headsOf(native, ['05d00f', '05e807'])).toEqual(['05d00f', '05d00f', '05e807']);
  });
  test('joins a part of few rows that are long as it is', () => {
    const long = encode(JSON.stringify({ s: 'x'.repeat(1 << 20) }), { limits: { maxValueBytes: 2 << 20 } }).block;
    const native = nativeBlocks(numberBlocks([one, long, long, one]));
    expect(native.rows).toBe(6);
    expect(native.chunks.filter(({ buffer }) => buffer === column(long, 's#s').data.buffer)).not.toHaveLength(0);
    expect(native.chunks.filter((chunk) => chunk.length > 1 << 20)).toHaveLength(2);
  });
  test('of nothing has no rows', () => {
    expect(nativeBlocks([])).toMatchObject({ rows: 0 });
    expect(nativeBlocks([{ block: encode('').block, seq: 1n, arrival: 1n }])).toMatchObject({ rows: 0 });
  });
});

describe('merged blocks', () => {
  const value = fc.oneof(
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constantFrom('GET', 'POST', '', 'é'.repeat(100)),
    fc.array(fc.integer(), { maxLength: 3 }),
    fc.constant(null),
  );
  const event = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), value, { noNullPrototype: true });
  test('have the rows of all parts in their order', () => {
    fc.assert(
      fc.property(fc.array(fc.array(event, { maxLength: 8 }), { maxLength: 5 }), fc.nat(), (bodies, seed) => {
        const blocks = bodies.map((events, part) => {
          // Each part puts other fields into the overflow column.
          const placement = { place: options().placement.place };
          const some = {
            place: (batch: Parameters<typeof placement.place>[0]) =>
              batch.uses.map(({ field }) => (field.charCodeAt(0) * 7 + part + seed) % 3 > 0),
          };
          return encode(JSON.stringify(events), { placement: some }).block;
        });
        expect(readBlock(mergeBlocks(blocks))).toEqual(blocks.flatMap(readBlock));
      }),
      { numRuns: 300 },
    );
  });
  test('become one dictionary, from plain parts and from dictionaries', () => {
    const lines = (count: number, from: number) =>
      Array.from({ length: count }, (_, n) => `{"s":"v${(from + n) % 50}"}`).join('\n');
    const blocks = [lines(1500, 0), lines(3, 40), '{"x":1}', lines(2000, 25)].map((body) => encode(body).block);
    expect(blocks.map((block) => block.columns.at(-1)!.type)).toEqual([
      DICTIONARY_STRING,
      'Nullable(String)',
      'Nullable(Int64)',
      DICTIONARY_STRING,
    ]);
    const merged = mergeBlocks(blocks);
    expect(column(merged, 's#s').type).toBe(DICTIONARY_STRING);
    expect(readBlock(merged)).toEqual(blocks.flatMap(readBlock));
  });
  test('of large plain parts stay plain', () => {
    const lines = (count: number, from: number) =>
      Array.from({ length: count }, (_, n) => (n % 3 === 0 ? '{}' : `{"s":"${from + n}","j":[${n}]}`)).join('\n');
    const blocks = ['{}', lines(1500, 0), '{"x":1}', lines(3, 5000), lines(1200, 9000), '{}'].map(
      (body) => encode(body).block,
    );
    const merged = mergeBlocks(blocks);
    expect(column(merged, 's#s').type).toBe('Nullable(String)');
    expect(readBlock(merged)).toEqual(blocks.flatMap(readBlock));
  });
  test('of many small requests become a dictionary where it pays', () => {
    const blocks = Array.from({ length: 1200 }, (_, n) => encode(`{"method":"GET","id":"${n}"}`).block);
    const merged = mergeBlocks(blocks);
    expect(column(merged, 'method#s').type).toBe(DICTIONARY_STRING);
    expect(column(merged, 'id#s').type).toBe('Nullable(String)');
    expect(readBlock(merged)).toEqual(blocks.flatMap(readBlock));
  });
  test('are the same whatever earlier merges found out', () => {
    const blocksOf = (text: (n: number) => string) =>
      Array.from({ length: 30 }, (_, part) => {
        const lines = Array.from({ length: 100 }, (_, n) => JSON.stringify({ s: text(part * 100 + n) }));
        return encode(lines.join('\n')).block;
      });
    const unique = blocksOf((n) => `nothing like ${n}`);
    const repeating = blocksOf((n) => `one of ${n % 7}`);
    const habits = new DictionaryHints();
    const types = [unique, repeating, unique].map((blocks) => {
      const merged = mergeBlocks(blocks, habits);
      expect(readBlock(merged)).toEqual(blocks.flatMap(readBlock));
      return column(merged, 's#s').type;
    });
    // Values are assumed to stay unique for a while.
    expect(types).toEqual(['Nullable(String)', 'Nullable(String)', 'Nullable(String)']);
    const others = new DictionaryHints();
    const [first, second] = [repeating, unique].map((blocks) => {
      const merged = mergeBlocks(blocks, others);
      expect(readBlock(merged)).toEqual(blocks.flatMap(readBlock));
      return column(merged, 's#s').type;
    });
    expect([first, second]).toEqual([DICTIONARY_STRING, 'Nullable(String)']);
  });
});
