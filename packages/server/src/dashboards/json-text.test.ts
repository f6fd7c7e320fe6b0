import { array, assert, dictionary, jsonValue, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arrayOf, itemsOf, membersOf, mergePatched, objectOf } from './json-text.js';

describe('parts of JSON text', () => {
  it('keep their spelling', () => {
    expect([...membersOf('{ "a" : 60.0 ,\n"b": {"x" : 1e3}, "2":"}" , "1":[ 1,2 ] }')]).toEqual([
      ['a', '60.0'],
      ['b', '{"x" : 1e3}'],
      ['2', '"}"'],
      ['1', '[ 1,2 ]'],
    ]);
    expect(itemsOf(' [ {"a":","} , "\\"]" ,3 ] ')).toEqual(['{"a":","}', '"\\"]"', '3']);
    expect([itemsOf('[ ]'), [...membersOf('{}')]]).toEqual([[], []]);
  });

  it('put together again mean the same', () =>
    assert(
      property(dictionary(string(), jsonValue()), array(jsonValue()), (object, list) => {
        // A dictionary of fast-check may contain a property `__proto__`, which `toEqual` and JSON
        // both preserve.
        expect(JSON.parse(objectOf(membersOf(JSON.stringify(object, null, 1))))).toEqual(
          JSON.parse(JSON.stringify(object)),
        );
        expect(JSON.parse(arrayOf(itemsOf(JSON.stringify(list, null, 1))))).toEqual(JSON.parse(JSON.stringify(list)));
      }),
    ));
});

describe('merge patch', () => {
  // The cases of RFC 7396, appendix A.
  it.each([
    ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
    ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
    ['{"a":"b"}', '{"a":null}', '{}'],
    ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
    ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
    ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
    ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
    ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
    ['["a","b"]', '["c","d"]', '["c","d"]'],
    ['{"a":"b"}', '["c"]', '["c"]'],
    ['{"a":"foo"}', 'null', 'null'],
    ['{"a":"foo"}', '"bar"', '"bar"'],
    ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
    ['[1,2]', '{"a":"b","c":null}', '{"a":"b"}'],
    ['{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
  ])('%s + %s = %s', (target, patch, result) => expect(mergePatched(target, patch)).toBe(result));

  it('rejects deep nesting, because each level reads all of it', () => {
    const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
    expect(mergePatched(deep(16), deep(16))).toBe(deep(16));
    expect(() => mergePatched(deep(17), deep(17))).toThrow('nested deeper than 16 levels');
  });

  it('leaves the spelling of what it does not touch', () =>
    expect(mergePatched('{"n":60.0,"o":{ "x" : 1e3 }}', '{"t":2.50}')).toBe('{"n":60.0,"o":{ "x" : 1e3 },"t":2.50}'));
});
