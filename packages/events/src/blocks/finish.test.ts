import { expect, test } from 'vitest';
import { encode } from '../testing/encode.js';

test.each([
  ['the times alone are too long', '{}\n'.repeat(20), 159],
  ['the columns are', '{"a":"a long text that nothing makes shorter"}\n', 40],
])('a block is not made where %s', (_, body, maxBlockBytes) =>
  expect(() => encode(Buffer.from(body), { limits: { maxBlockBytes } })).toThrow('take too much room'),
);
