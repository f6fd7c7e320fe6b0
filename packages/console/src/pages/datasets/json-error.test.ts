import { describe, expect, it } from 'vitest';
import { jsonMistake } from './json-error.js';

describe('the first error in JSON', () => {
  it.each([
    ['{"a":}', 5, 'a value'],
    ['{"a" 1}', 5, 'a colon'],
    ['{"a":1', 6, 'a comma or }'],
    ["{'a':1}", 1, 'a name in quotes or }'],
    ['[1,]', 3, 'a value'],
    ['[1 2]', 3, 'a comma or ]'],
    ['{"a":1,}', 7, 'a name in quotes'],
    ['{"a":tru}', 5, 'a value'],
    ['{"a":"x\ny"}', 5, 'a value'],
    ['{"a":01}', 5, 'a value'],
    ['{} {}', 3, 'nothing more'],
    ['', 0, 'a value'],
  ])('%j: %i', (text, at, wanted) => {
    expect(() => JSON.parse(text) as unknown).toThrow(/JSON/);
    expect(jsonMistake(text)).toEqual({ at, wanted });
  });

  it.each(['{"a":[1,-2.5e+3,{"b":null}],"c":"\\u00e4\\n"}', ' [] ', '0', '"x"'])('%j has none', (text) =>
    expect(jsonMistake(text)).toBeUndefined(),
  );
});
