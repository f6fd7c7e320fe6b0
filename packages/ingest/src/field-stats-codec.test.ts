import type { BatchFieldStats, FieldType } from '@millrace/events';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeFieldStats, unpackUses } from './field-stats-codec.js';

const types: readonly FieldType[] = ['integer', 'float', 'string', 'boolean', 'datetime', 'array', 'map'];
const batch: fc.Arbitrary<BatchFieldStats> = fc.record({
  rows: fc.nat(),
  uses: fc.array(
    fc.record({
      field: fc.string({ unit: 'grapheme' }),
      type: fc.constantFrom(...types),
      count: fc.nat(),
      bytes: fc.nat({ max: 2 ** 40 }),
    }),
  ),
});

test('what a thread asks about arrives as it was', () =>
  fc.assert(
    fc.property(batch, (sent) => {
      expect(unpackUses(structuredClone(encodeFieldStats(sent)))).toEqual(sent);
    }),
  ));
