import { expect, test } from 'vitest';
import { overflowNames } from './overflow-names.js';
import { encode, nowhere } from './testing/encode.js';

test('names of the overflow column come from its bytes, each once', () => {
  const long = 'n'.repeat(190);
  const { block } = encode(`{"a":1,"größe":"x"}{}{"a":2,"a#s":true,"nul\\u0000":1,"${long}":"y"}{"a":"z"}`, {
    placement: nowhere,
  });
  expect([...overflowNames(block)].toSorted()).toEqual(
    ['a#i', 'a#s', 'a#s#b', 'größe#s', 'nul\0#i', `${long}#s`].toSorted(),
  );
});

test('a block without that column has none', () => {
  expect([...overflowNames(encode('{"a":1}').block)]).toEqual([]);
  expect([...overflowNames(encode('').block)]).toEqual([]);
});
