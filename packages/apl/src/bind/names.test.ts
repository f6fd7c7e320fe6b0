import { expect, it } from 'vitest';
import { compileText } from '../testing/compile-text.js';
import { tableless } from '../testing/tableless.js';

// An object that is sometimes empty leaves a `{}`, in a column that otherwise holds arrays.
const catalogue = tableless('logs', { tags: 'array', opts: 'array', 'opts.a': 'long' });

it.each([
  ['tags.b', true],
  ['tags["b"]', true],
  ['opts.b', false],
  ['opts["b"]', false],
])('%s: reported as the key of an array: %s', (path, said) => {
  const { diagnostics } = compileText(`logs | where ${path} == 1`, { catalogue });
  expect(diagnostics.map(({ code }) => code)).toEqual(said ? ['type_mismatch'] : []);
});
