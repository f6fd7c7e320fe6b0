import { array, assert, constantFrom, jsonValue, pre, property } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { endOfString, readJson, writeJson } from './json-body.js';

const read = (text: string, depth = 10): unknown => readJson(new TextEncoder().encode(text), { maxDepth: depth });

const good: readonly (readonly [string, unknown])[] = [
  ['', undefined],
  [' \n', undefined],
  ['{"a":[1,null,"x"]}', { a: [1, null, 'x'] }],
  ['\uFEFF{"a":1}', { a: 1 }],
  ['"[[[[[[[[[[[["', '[[[[[[[[[[[['],
  [String.raw`{"a":"\"[[[[[[[[[[[[["}`, { a: '"[[[[[[[[[[[[[' }],
  ['{"constructor":{"prototype":{}}}', { constructor: { prototype: {} } }],
];
const bad: readonly (readonly [string, string])[] = [
  ...['{', '[1,2', '[1,2\n', '"abc', '{"a"', '{"a":1', '{"a":tr', '-', '1e', String.raw`"\u00`].map(
    (text) => [text, 'it ends too early'] as const,
  ),
  // Node 20 reports only the position.
  ['[1 2]', 'position 3|line 1, column 4'],
  ['{"a":1}x', 'position 7|line 1, column 8'],
  ['{"secret":hunter2}', "unexpected 'h'"],
  ['[[[[[[[[[[[1]]]]]]]]]]]', 'nesting exceeds 10 levels'],
  ['{"__proto__":{"admin":true}}', '__proto__'],
  ['{"a":{"__proto__":null}}', '__proto__'],
  [String.raw`{"__\u0070roto__":1}`, '__proto__'],
];

describe('readJson', () => {
  test.each(good)('%j', (text, value) => expect(read(text)).toEqual(value));
  test.each(bad)('refuses %j', (text, message) => expect(() => read(text)).toThrow(new RegExp(message)));
  test('never repeats the body', () => expect(() => read('{"secret":hunter2}')).not.toThrow(/hunter2/));
  test('rejects invalid UTF-8', () =>
    expect(() => readJson(Uint8Array.of(0x22, 0xff, 0x22), { maxDepth: 10 })).toThrow('not UTF-8'));
  test('a body nested a million deep costs nothing', () =>
    expect(() => read('['.repeat(1_000_000))).toThrow('nesting exceeds'));
  test.each(['[0,0,0,0]', '{"a":1,"b":2,"c":{}}', '[[[[]]]]', '["a,b,[{", ",,,,", 1, 2]'])(
    'counts the values of %s',
    (text) => {
      const readLimited = (maxValues: number) => readJson(Buffer.from(text), { maxDepth: 10, maxValues });
      expect(readLimited(5)).toEqual(JSON.parse(text));
      expect(() => readLimited(3)).toThrow('more than 3 values');
    },
  );
  test.each([
    ['[0,0,0]', '[0,0,0,0]'],
    ['{"a":1,"b":[1,2,3],"c":{"d":1,"e":2}}', '{"a":[],"b":{"c":1,"d":2,"e":3,"f":4}}'],
    ['[[1,2],[3,",,,,"],[4]]', '[[1],[2,3],[4,5,6,7]]'],
  ])('counts the members of each list and object: %s, and too many in %s', (good, bad) => {
    const readLimitedMembers = (text: string) => readJson(Buffer.from(text), { maxDepth: 10, maxMembers: 3 });
    expect(readLimitedMembers(good)).toEqual(JSON.parse(good));
    expect(() => readLimitedMembers(bad)).toThrow('a list or object in it has more than 3 members');
    expect(() => readLimitedMembers(']]]1,2,3,4')).toThrow('more than 3 members');
  });
  test('reads all JSON', () =>
    assert(
      property(jsonValue({ depthSize: 'small' }), (value) => {
        const text = JSON.stringify(value);
        pre(!text.includes('__proto__'));
        expect(read(text, 1000)).toEqual(JSON.parse(text));
      }),
    ));
});

describe('exact integers', () => {
  const exact = (text: string): unknown => readJson(new TextEncoder().encode(text), { maxDepth: 10 }, true);
  const cases: readonly (readonly [string, unknown])[] = [
    ['9007199254740993', 9007199254740993n],
    ['[-9223372036854775808,9223372036854775807]', [-9223372036854775808n, 9223372036854775807n]],
    ['9007199254740991', 9007199254740991],
    ['9223372036854775808', 9223372036854775808],
    [
      '[1234567890123456789.5,1234567890123456789e2,0.1234567890123456789]',
      [1234567890123456800, 1.2345678901234568e20, 0.12345678901234568],
    ],
  ];
  test.each(cases)('%s', (text, value) => expect(exact(text)).toEqual(value));
  test('leaves strings and keys alone', () => {
    const text = String.raw`{"9007199254740993":"9007199254740993\\","a":"\" 9007199254740993"}`;
    expect(exact(text)).toEqual(JSON.parse(text));
  });
  test('are read beside a string of millions of escapes', () => {
    const [text, integer] = exact(`["${String.raw`\n`.repeat(10_000_000)}",9007199254740993]`) as [string, bigint];
    expect([text.length, integer]).toEqual([10_000_000, 9007199254740993n]);
  });
  test('are written as they were read', () => {
    const text = '{"a":[9007199254740993,"9007199254740993"],"b":-9223372036854775808}';
    expect(writeJson(exact(text))).toBe(text);
  });
});

test('the end of a string is found, however long it is and whatever it escapes', () =>
  assert(
    property(array(constantFrom('"', '\\', '\n', 'x', 'x'.repeat(31), 'x'.repeat(100))), (pieces) => {
      const text = JSON.stringify(pieces.join(''));
      expect(endOfString(`${text},"more"`, 0)).toBe(text.length - 1);
      expect(endOfString(text.slice(0, -1), 0)).toBeGreaterThanOrEqual(text.length - 1);
    }),
  ));
