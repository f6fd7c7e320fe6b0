import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { elementsOf, membersOf } from './json-text.js';

describe('keeps the text of values', () => {
  it.each<readonly [string, readonly string[]]>([
    ['[]', []],
    ['[ ]', []],
    ['[9007199254740993,-1.50,1e400]', ['9007199254740993', '-1.50', '1e400']],
    [' [ "a,]\\"" , [1,[2]] ,{"k":"}"}, null ] ', ['"a,]\\""', '[1,[2]]', '{"k":"}"}', 'null']],
    ['["\\\\","b"]', ['"\\\\"', '"b"']],
  ])('%s', (text, elements) => expect(elementsOf(text)).toEqual(elements));

  it('properties by key', () =>
    expect([...membersOf('{"a" : 1.0, "b\\n":[2, 3], "":{} }')]).toEqual([
      ['a', '1.0'],
      ['b\n', '[2, 3]'],
      ['', '{}'],
    ]));
});

it.each(['', '{', '[', '[1', '["a', '[1 2]', '{"a"}', '{"a":}', '{a:1}', 'null', '[1}'])('%j is rejected', (text) => {
  const read = text.startsWith('{') ? membersOf : elementsOf;
  expect(() => read(text)).toThrow(SyntaxError);
});

it('splits any array and object', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), fc.constantFrom(undefined, 1), (values, indent) => {
      expect(elementsOf(JSON.stringify(values, undefined, indent)).map((text) => JSON.parse(text) as unknown)).toEqual(
        JSON.parse(JSON.stringify(values)),
      );
    }),
  );
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (record) => {
      const plain = JSON.parse(JSON.stringify(record)) as Record<string, unknown>;
      const members = [...membersOf(JSON.stringify(record))].map(([key, text]) => [key, JSON.parse(text)]);
      expect(members).toEqual(Object.entries(plain));
    }),
  );
});
