import { DEFAULT_LIMITS, DICTIONARY_STRING, encodeJson } from '@millrace/events';
import { describe, expect, it } from 'vitest';
import { isSparse } from './density.js';

const blockOf = (events: readonly object[]) =>
  encodeJson(Buffer.from(JSON.stringify(events)), {
    arrivalTime: 1n,
    mapFields: new Set(),
    placement: { place: ({ uses }) => uses.map(() => true) },
    limits: DEFAULT_LIMITS,
  });

/** Two batches; `value` of a field `f` in every `step`th event, another field in all of them. */
const batches = (value: unknown, step: number, perBatch: number) =>
  [0, 1].map(() =>
    blockOf(Array.from({ length: perBatch }, (_, i) => (i % step === 0 ? { id: i, f: value } : { id: i }))),
  );

describe('a column is sparse', () => {
  const kinds = [
    ['integer', 'f#i', 7],
    ['float', 'f#f', 7.5],
    ['boolean', 'f#b', true],
    ['string', 'f#s', 'the same'],
    ['array', 'f#j', [1]],
  ] as const;
  it.each(kinds)('of type %s in one of five rows, and not in one of three', (_type, name, value) => {
    // Small batches write strings plainly, large ones with a dictionary.
    for (const perBatch of [60, 3000]) {
      expect(isSparse(name, batches(value, 5, perBatch))).toBe(true);
      expect(isSparse(name, batches(value, 3, perBatch))).toBe(false);
    }
  });
  it('when it has many different strings', () => {
    const events = (step: number) =>
      Array.from({ length: 20_000 }, (_, i) =>
        i % step === 0 ? { id: i, f: `value ${Math.floor(i / 5) % 400}` } : { id: i },
      );
    const block = blockOf(events(5));
    expect(block.block.columns.find(({ name }) => name === 'f#s')?.type).toBe(DICTIONARY_STRING);
    expect(isSparse('f#s', [block])).toBe(true);
    expect(isSparse('f#s', [blockOf(events(3))])).toBe(false);
  });
  it('when some of the batches lack it', () => {
    const full = blockOf(Array.from({ length: 10 }, () => ({ f: 1 })));
    const without = blockOf(Array.from({ length: 90 }, () => ({ id: 1 })));
    expect(isSparse('f#i', [full])).toBe(false);
    expect(isSparse('f#i', [full, without])).toBe(true);
  });
});
