import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DatasetFields } from './fields.js';

/** The expected fields of a dataset, in a simple representation. */
interface Model {
  readonly places: Map<string, { column: boolean; overflow: boolean }>;
}

const fieldNames = ['a', 'a.b', 'c.b', 'b', '', 'a.', 'ab', '.b'];
const types = ['integer', 'string'] as const;
const step = fc.record({
  what: fc.constantFrom('column', 'overflow', 'vacuum'),
  where: fc.constantFrom('column', 'overflow'),
  field: fc.constantFrom(...fieldNames),
  type: fc.constantFrom(...types),
});

function apply(
  model: Model,
  fields: DatasetFields,
  { what, where, field, type }: typeof step extends fc.Arbitrary<infer S> ? S : never,
) {
  const key = `${type} ${field}`;
  const place = model.places.get(key) ?? { column: false, overflow: false };
  if (what === 'vacuum') {
    fields.remove([{ field, type }], where);
    const left = { ...place, [where]: false };
    if (left.column || left.overflow) model.places.set(key, left);
    else model.places.delete(key);
  } else {
    const news = fields.add({ field, type }, what === 'column' ? 'column' : 'overflow');
    expect(news).toBe(!place[what === 'column' ? 'column' : 'overflow']);
    model.places.set(key, { ...place, [what]: true });
  }
}

describe('the fields of a dataset', () => {
  it('are the added and not removed ones, in any order', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const model: Model = { places: new Map() };
        const fields = new DatasetFields();
        for (const each of steps) apply(model, fields, each);
        const placesOf = (field: string) => types.map((type) => model.places.get(`${type} ${field}`));
        const known = fieldNames.filter((field) => placesOf(field).some((place) => place !== undefined));
        for (const field of fieldNames)
          for (const type of types)
            for (const where of ['column', 'overflow'] as const)
              expect(fields.isIn(where, field, type)).toBe(model.places.get(`${type} ${field}`)?.[where] ?? false);
        expect([...fields.entries()].map(([field, { size }]) => [field, size])).toEqual(
          [...fields.entries()].map(([field]) => [
            field,
            placesOf(field).filter((place) => place !== undefined).length,
          ]),
        );
        for (const field of fieldNames)
          expect(types.map((type) => fields.types(field)?.get(type))).toEqual(placesOf(field));
        expect(fields.size).toBe(known.length);
        expect([...fields.names()].toSorted()).toEqual(known.toSorted());
        for (const field of fieldNames) {
          expect(fields.has(field)).toBe(known.includes(field));
          expect(fields.overflow(field)).toBe(placesOf(field).some((place) => place?.overflow === true));
        }
        expect(fields.overflows).toBe([...model.places.values()].some(({ overflow }) => overflow));
        expect([...fields.columnNames].toSorted()).toEqual(
          known.filter((field) => placesOf(field).some((place) => place?.column === true)).toSorted(),
        );
        for (const word of ['a', 'b', 'c', ''])
          expect([...fields.namesEndingIn(word)].toSorted()).toEqual(
            known.filter((field) => field.split('.').at(-1) === word).toSorted(),
          );
      }),
    );
  });
});
