import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BlockError, deserializeBlock, serializeBlock } from './block-bytes.js';
import { encode, nowhere } from '../testing/encode.js';

function outcome(bytes: Uint8Array): string {
  try {
    deserializeBlock(bytes);
    return 'a block';
  } catch (error) {
    return error instanceof Error ? error.name : 'something else';
  }
}

const small = encode('{"a":1,"b":"x"}{"é":true}').block;

describe('a block as bytes', () => {
  test('comes back', () => {
    for (const block of [small, encode('').block, encode('{"a":1}', { placement: nowhere }).block]) {
      expect(deserializeBlock(serializeBlock(block))).toEqual(block);
    }
  });
  test('comes back from the middle of a larger buffer, as views of it', () => {
    const bytes = serializeBlock(small);
    const larger = new Uint8Array(bytes.length + 7);
    larger.set(bytes, 3);
    const block = deserializeBlock(larger.subarray(3, 3 + bytes.length));
    expect(block).toEqual(small);
    expect(block.columns.every(({ data }) => data.buffer === larger.buffer)).toBe(true);
  });
  test('is there when a body was encoded, and the columns are views of it', () => {
    const { rows, columns, serialized } = small;
    expect(serializeBlock(small)).toBe(serialized);
    expect(columns.every(({ data }) => data.buffer === serialized!.buffer)).toBe(true);
    expect(serializeBlock({ rows, columns })).toEqual(serialized);
  });
  test('is rejected after its memory was released', () => {
    const block = deserializeBlock(serializeBlock(small).slice());
    structuredClone(block.serialized!.buffer, { transfer: [block.serialized!.buffer as ArrayBuffer] });
    expect(() => serializeBlock(block)).toThrow('the memory of this block was given away');
  });
  test('begins as its table says', () => {
    expect(Buffer.from(serializeBlock(encode('{"a":true}', { arrivalTime: 1n }).block)).toString('latin1')).toBe(
      'MBK1\x01\0\0\0\x02\0\0\0\x41\0\0\0' +
        "\x05\0\0\0\x13\0\0\0\x08\0\0\0_timeDateTime64(9,'UTC')" +
        '\x03\0\0\0\x0e\0\0\0\x02\0\0\0a#bNullable(Bool)' +
        '\x01\0\0\0\0\0\0\0' +
        '\0\x01',
    );
  });
});

describe('damage', () => {
  const bytes = serializeBlock(small);
  test('every cut is noticed', () => {
    for (let end = 0; end < bytes.length; end++) {
      expect(() => deserializeBlock(bytes.subarray(0, end))).toThrow(BlockError);
    }
  });
  test('bytes behind are noticed', () => {
    expect(() => deserializeBlock(Buffer.concat([bytes, Buffer.of(0)]))).toThrow(
      new BlockError(`not a block, byte ${bytes.length}: 1 bytes belong to no column`),
    );
  });
  test('another format is noticed', () => {
    expect(() => deserializeBlock(Buffer.from('{"a":1,"b":2,"c":3}'))).toThrow(
      new BlockError('not a block, byte 0: it does not begin with MBK1'),
    );
  });
  test('a wrong size is noticed', () => {
    const [time, ...rest] = small.columns;
    const wrong = { rows: 2, columns: [{ ...time!, data: time!.data.subarray(1) }, ...rest] };
    expect(() => deserializeBlock(serializeBlock(wrong))).toThrow(
      new BlockError("not a block, byte 16: column _time of type DateTime64(9,'UTC') has 15 bytes for 2 rows"),
    );
  });
  test('any change is read as a block or rejected as one', () => {
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 0, max: 255 }), (at, byte) => {
        const changed = bytes.slice();
        changed[at] = byte;
        expect(outcome(changed)).toMatch(/^(a block|BlockError)$/);
      }),
      { numRuns: 2000 },
    );
  });
});
