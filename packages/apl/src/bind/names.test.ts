import { expect, it } from 'vitest';
import { compileText } from '../testing/compile-text.js';
import { tableless } from '../testing/tableless.js';

// What is left of an object that is sometimes empty is a `{}` among arrays.
const catalogue = tableless('logs', { tags: 'array', opts: 'array', 'opts.a': 'long' });

it.each([
  ['tags.b', true],
  ['tags["b"]', true],
  ['opts.b', false],
  ['opts["b"]', false],
])('%s: said to be the key of an array: %s', (path, said) => {
  const { diagnostics } = compileText(`logs | where ${path} == 1`, { catalogue });
  expect(diagnostics.map(({ code }) => code)).toEqual(said ? ['type_mismatch'] : []);
});
