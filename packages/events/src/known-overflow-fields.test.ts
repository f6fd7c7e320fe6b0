import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { KnownOverflowFields } from './known-overflow-fields.js';
import { encode, nowhere } from './testing/encode.js';
import { readBlock } from './testing/read-block.js';

/** A dataset that knows integer fields. */
const knowing = (names: ReadonlySet<string>, mark: number, share = 1): KnownOverflowFields => ({
  mark,
  share,
  has: (field, type) => type === 'integer' && names.has(field),
});

const bodyOf = (events: readonly (readonly string[])[]): string =>
  events.map((names) => JSON.stringify(Object.fromEntries(names.map((name) => [name, 1])))).join('\n');

const toldOf = (body: string, familiar: KnownOverflowFields) => {
  const { uses, untold } = encode(body, { placement: nowhere, familiar });
  return { told: uses.map(({ field }) => field), untold };
};

let mark = 0;

test('a field that the dataset knows is told of once', () => {
  const familiar = knowing(new Set(['a', 'b.c']), ++mark, 0.5);
  const body = '{"a":1,"b":{"c":2},"new":3}\n{"d":1}\n{"d":1}';
  expect(toldOf(body, familiar)).toEqual({ told: ['a', 'b.c', 'new', 'd'], untold: undefined });
  expect(toldOf(body, familiar)).toEqual({ told: ['new', 'd'], untold: mark });
  // By another path to the same name, and with a value of another type.
  expect(toldOf('{"b.c":1,"a":"x"}\n{"b":{"c":1}}\n{}\n{}\n{}', familiar).told).toEqual(['a']);
  // As often as the share, it may deserve a column.
  expect(toldOf('{"a":1}\n{}', familiar).told).toEqual(['a']);
});

test('it is told of again to another dataset, and when that knows something else', () => {
  const body = '{"a":1}\n{}\n{}';
  const told = (): unknown[] => toldOf(body, knowing(new Set(['a']), ++mark)).told;
  expect([told(), told()]).toEqual([['a'], ['a']]);
  expect(encode(body, { placement: nowhere }).uses).toHaveLength(1);
});

test('what is stored is the same, whatever is told of', () => {
  const name = fc.constantFrom('a', 'b', 'c', 'a.b', 'ü', '_sysTime', '_time', 'a#i');
  const value = fc.constantFrom('1', '2', '"x"', 'null', '{}', '{"b":3}', '1.5');
  const event = fc
    .array(fc.tuple(name, value), { maxLength: 6 })
    .map((members) => `{${members.map(([name, value]) => `"${name}":${value}`).join(',')}}`);
  const body = fc.array(event, { minLength: 1, maxLength: 6 }).map((events) => events.join('\n'));
  let left = 0;
  fc.assert(
    fc.property(
      fc.array(body, { maxLength: 5 }),
      fc.uniqueArray(name),
      fc.double({ min: 0.1, max: 1 }),
      (bodies, names, share) => {
        const known = new Set(names);
        const familiar = knowing(known, ++mark, share);
        for (const body of [...bodies, ...bodies]) {
          const all = encode(body, { placement: nowhere });
          const some = encode(body, { placement: nowhere, familiar });
          expect(some.block.serialized).toEqual(all.block.serialized);
          const untold = all.uses.filter(
            (use) => !some.uses.some(({ field, type }) => field === use.field && type === use.type),
          );
          for (const { field, type, count } of untold)
            expect(familiar.has(field, type) && count < share * all.ingested).toBe(true);
          expect(some.untold).toBe(untold.length > 0 ? mark : undefined);
          left += untold.length;
        }
      },
    ),
    { numRuns: 60 },
  );
  expect(left).toBeGreaterThan(0);
});

test('of a body with too many names all count, those that are known too', () => {
  const familiar = knowing(new Set(['a', 'b']), ++mark);
  const body = bodyOf([['a'], ['b'], ['c'], ['d'], []]);
  const given = { placement: nowhere, familiar } as const;
  encode(body, given);
  const { block, withOthers } = encode(body, { ...given, limits: { maxRequestFields: 3 } });
  expect(withOthers).toBe(1);
  expect(readBlock(block).map(({ _overflow }) => Object.keys(_overflow ?? {}))).toEqual([
    ['a#i'],
    ['b#i'],
    ['c#i'],
    ['_other#m'],
    [],
  ]);
});

test('names that come again are kept, however many there are', () => {
  const names = Array.from({ length: 12_000 }, (_, i) => `name ${i}`);
  const body = bodyOf([names, [], []]);
  const familiar = knowing(new Set(names), ++mark);
  expect(toldOf(body, familiar).told).toHaveLength(12_000);
  expect(toldOf(body, familiar).told).toEqual([]);
});
