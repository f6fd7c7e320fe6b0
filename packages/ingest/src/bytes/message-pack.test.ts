import { describe, expect, test } from 'vitest';
import { ingestBounds } from '../ingest-limits.js';
import { CorruptDataError } from './corrupt-data-error.js';
import { JsonBytes } from './json-bytes.js';
import { PackReader } from './message-pack.js';
import { pack } from './pack.js';
import { PackFrames } from './pack-frames.js';

const limit = 10_000;

function jsonOf(bytes: Uint8Array): string {
  const out = new JsonBytes(64, limit, () => new Error('too many bytes'));
  const reader = new PackReader(bytes);
  reader.value(out);
  expect(reader.isOver).toBe(true);
  return out.writtenBytes().toString();
}

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

test.each([
  ['c0', 'null'],
  ['c2', 'false'],
  ['c3', 'true'],
  ['00', '0'],
  ['7f', '127'],
  ['e0', '-32'],
  ['ff', '-1'],
  ['cc ff', '255'],
  ['cd ffff', '65535'],
  ['ce ffffffff', '4294967295'],
  ['cf ffffffffffffffff', '18446744073709551615'],
  ['d0 80', '-128'],
  ['d1 8000', '-32768'],
  ['d2 80000000', '-2147483648'],
  ['d3 8000000000000000', '-9223372036854775808'],
  ['ca 3f800000', '1.0'],
  ['cb 3ff8000000000000', '1.5'],
  ['cb 7ff0000000000000', 'null'],
  ['cb 8000000000000000', '-0.0'],
  ['a3 22 0a c3', '"\\"\\n\u{fffd}"'],
  ['d9 01 61', '"a"'],
  ['da 0001 61', '"a"'],
  ['db 00000001 61', '"a"'],
  // Senders use the bin format for strings.
  ['c4 02 c3a9', '"é"'],
  ['c5 0001 61', '"a"'],
  ['c6 00000001 61', '"a"'],
  ['90', '[]'],
  ['92 01 c0', '[1,null]'],
  ['dc 0001 01', '[1]'],
  ['dd 00000001 01', '[1]'],
  ['80', '{}'],
  ['82 a161 01 a162 80', '{"a":1,"b":{}}'],
  ['de 0001 a161 01', '{"a":1}'],
  ['df 00000001 a161 01', '{"a":1}'],
  // A name is a string or a number.
  ['83 07 01 c0 02 9101 03', '{"7":1}'],
  ['d4 05 ab', '"ab"'],
  ['c7 02 05 abcd', '"abcd"'],
  // Times, of Fluentd and of the format.
  ['d7 00 6ab127c0 00000005', '"2026-09-21T12:49:04.000000005Z"'],
  ['d6 ff 6ab127c0', '"2026-09-21T12:49:04.000000000Z"'],
  ['d7 ff 00000014 6ab127c0', '"2026-09-21T12:49:04.000000005Z"'],
  ['c7 0c ff 00000005 000000006ab127c0', '"2026-09-21T12:49:04.000000005Z"'],
])('%s is %s', (bytes, json) => expect(jsonOf(hex(bytes))).toBe(json));

test('values nested deeper than messagePackLevels become null', () => {
  const { max } = ingestBounds.messagePackLevels;
  const nest = (levels: number): string => jsonOf(hex(`${'91'.repeat(levels)}01`));
  expect(nest(max)).toBe(`${'['.repeat(max)}1${']'.repeat(max)}`);
  expect(nest(max + 1)).toBe(`${'['.repeat(max)}null${']'.repeat(max)}`);
});

test('reads the output of the writer', () => {
  const value = { a: [1, -5, 300, -70_000, 1.5, true, null, 'é', { b: [] }], big: 2n ** 63n, bytes: Buffer.from('x') };
  expect(jsonOf(pack(value))).toBe(
    '{"a":[1,-5,300,-70000,1.5,true,null,"é",{"b":[]}],"big":9223372036854775808,"bytes":"x"}',
  );
});

describe('bytes that are no value', () => {
  test.each([
    ['c1', 'byte 0: no value of MessagePack begins with c1'],
    ['', 'byte 0: the value is cut off'],
    ['a2 61', 'byte 0: the value is cut off'],
    ['db ffffffff 61', 'byte 0: the value is cut off'],
    ['dd ffffffff 01', 'byte 6: the value is cut off'],
    ['81 a161', 'byte 3: the value is cut off'],
    ['cd 01', 'byte 0: the value is cut off'],
  ])('%s', (bytes, message) => {
    const read = (): unknown => jsonOf(hex(bytes));
    expect(read).toThrow(new CorruptDataError(message));
    expect(() => new PackReader(hex(bytes)).skip()).toThrow(CorruptDataError);
  });

  test('a million brackets use no stack, and values below the limit of depth are null', () => {
    const deep = Buffer.alloc(1_000_001, 0x91);
    deep[1_000_000] = 0xc0;
    expect(jsonOf(deep)).toBe(`${'['.repeat(128)}null${']'.repeat(128)}`);
  });

  test('a value may not exceed its limit as JSON, however short it is', () => {
    const many = Buffer.concat([hex('dd 00100000'), Buffer.alloc(0x10_0000, 0xc0)]);
    expect(() => jsonOf(many)).toThrow('too many bytes');
  });
});

describe('a stream', () => {
  const values = [{ a: [1, 'x'.repeat(300)] }, null, [], 'text', [[[{ b: 1.5 }]]], 2 ** 40].map(pack);

  test.each([1, 2, 7, 10_000])('in pieces of %d bytes is divided into its values', (size) => {
    const bytes = Buffer.concat(values);
    const frames = new PackFrames(1000);
    const found: Buffer[] = [];
    for (let at = 0; at < bytes.length; at += size) found.push(...frames.push(bytes.subarray(at, at + size)));
    expect(found).toEqual(values);
    expect(frames.bufferedBytes).toBe(0);
  });

  test.each([
    ['a text that is announced', 'db 7fffffff'],
    ['a list of short values', `dc ffff ${'01'.repeat(1001)}`],
  ])('is refused as soon as a value is too long: %s', (_, bytes) => {
    expect(() => [...new PackFrames(1000).push(hex(bytes))]).toThrow('more than 1000 bytes');
  });

  test('buffers incomplete data', () => {
    const frames = new PackFrames(1000);
    expect([...frames.push(hex('dd ffffffff 01 02'))]).toEqual([]);
    expect(frames.bufferedBytes).toBe(7);
  });
});
