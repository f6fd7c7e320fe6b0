import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { NameTexts } from './name-encoding.js';

const long = fc.integer({ min: 0, max: 300_000 }).map((length) => 'ab'.repeat(length / 2));

test('texts of any characters and lengths come back as they were', () => {
  const unit = fc.constantFrom('a', '.', '#', '\0', 'ß', '字', '\u{1F600}', '\ud800', '\u0080');
  const text = fc.oneof({ weight: 50, arbitrary: fc.string({ unit }) }, { weight: 1, arbitrary: long });
  fc.assert(
    fc.property(fc.array(text, { maxLength: 200 }), (texts) => {
      const kept = new NameTexts();
      const places = texts.map((each) => kept.add(each));
      expect(places.map((place) => kept.read(place))).toEqual(texts);
      texts.forEach((each, i) => {
        const place = places[i]!;
        expect(kept.is(place, each)).toBe(true);
        for (const other of [`${each}a`, each.slice(1), each.replace('a', 'b'), each.replace('ß', '字')])
          expect(kept.is(place, other)).toBe(other === each);
      });
    }),
    { numRuns: 50 },
  );
});
