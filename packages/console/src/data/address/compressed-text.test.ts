import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { pack, packedText, unpackFromHash } from './compressed-text.js';

it('text round-trips through its fragment', () =>
  fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 1 }), async (text) => {
      const fragment = await pack(text);
      expect(fragment).toMatch(/^z=[\w-]+$/);
      expect(packedText(`#${fragment}`)).toBe(text);
    }),
    { numRuns: 30 },
  ));

it('unpacks a fragment of another origin', async () => {
  const text = 'logs | where true\n'.repeat(1000);
  const made = await pack(text);
  expect(made.length).toBeLessThan(400);
  // As after a reload: the same bytes with padding make a fragment that is not in the cache.
  await unpackFromHash(`#${made}=`);
  expect(packedText(`${made}=`)).toBe(text);
});

it('a damaged fragment has no text', async () => {
  await unpackFromHash('#z=AAAA');
  await unpackFromHash('#z=%%%');
  expect(packedText('#z=AAAA')).toBeUndefined();
});
