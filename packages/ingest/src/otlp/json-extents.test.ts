import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Extent, JsonExtents } from './json-extents.js';

/** The elements of an object or list as texts, found without parsing. */
function partsOf(json: string): string[] {
  const body = Buffer.from(json);
  const extents = new JsonExtents(body);
  const text = ({ start, end }: Extent): string => body.toString('utf8', start, end);
  const root = extents.root(10);
  if (text(root).startsWith('[')) return [...extents.elements(root)].map(text);
  return [...extents.members(root)].flatMap(({ name, value }) => [text(name), text(value)]);
}

describe('the parts of a value', () => {
  test.each([
    ['[]', []],
    ['{ }', []],
    ['\ufeff [1]', ['1']],
    [' [ 1 , "a,]" ,{"b":[2]}, null,[] ] ', ['1', '"a,]"', '{"b":[2]}', 'null', '[]']],
    ['{"a":1,"b\\"" : {"c":"}"},"ü":"é"}', ['"a"', '1', '"b\\""', '{"c":"}"}', '"ü"', '"é"']],
  ])('%s', (json, parts) => expect(partsOf(json)).toEqual(parts));

  test('of any JSON', () =>
    fc.assert(
      fc.property(fc.array(fc.jsonValue({ maxDepth: 3 })), fc.constantFrom(undefined, 1), (list, indent) => {
        expect(partsOf(JSON.stringify(list, undefined, indent)).map((part) => JSON.parse(part) as unknown)).toEqual(
          JSON.parse(JSON.stringify(list)),
        );
      }),
    ));
});

test.each([
  ['', 'it ends too early'],
  ['[1', 'it ends too early'],
  ['["a', 'it ends too early'],
  ['["a\\', 'it ends too early'],
  ['[1]]', "unexpected ']' at position 3"],
  ['[1,]', "unexpected ']' at position 3"],
  ['[,1]', "unexpected ',' at position 1"],
  ['[1 2]', "unexpected '2' at position 3"],
  ['[1}', "unexpected '}' at position 2"],
  ['{]', "unexpected ']' at position 1"],
  ['{"a" 1}', "unexpected '1' at position 5"],
  ['{"a":}', "unexpected '}' at position 5"],
  ['{a:1}', "unexpected 'a' at position 1"],
  ['{"a":1,}', "unexpected '}' at position 7"],
  ['[[[[[[[[[[[]]]]]]]]]]]', 'it is nested deeper than 10 levels'],
])('%j is refused: %s', (json, problem) => {
  expect(() => partsOf(json)).toThrow(`the request body is not valid JSON: ${problem}`);
});
