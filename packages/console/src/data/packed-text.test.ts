import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { pack, packedText, unpackFromHash } from './packed-text.js';

it('a text comes back from its fragment', () =>
  fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 1 }), async (text) => {
      const fragment = await pack(text);
      expect(fragment).toMatch(/^z=[\w-]+$/);
      expect(packedText(`#${fragment}`)).toBe(text);
    }),
    { numRuns: 30 },
  ));

it('a fragment of somebody else is unpacked', async () => {
  const text = 'logs | where true\n'.repeat(1000);
  const made = await pack(text);
  expect(made.length).toBeLessThan(400);
  // As after a reload: the same bytes, written with padding, are another fragment, which nobody has
  // seen.
  await unpackFromHash(`#${made}=`);
  expect(packedText(`${made}=`)).toBe(text);
});

it('a damaged fragment is none', async () => {
  await unpackFromHash('#z=AAAA');
  await unpackFromHash('#z=%%%');
  expect(packedText('#z=AAAA')).toBeUndefined();
});
