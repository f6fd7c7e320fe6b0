import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { KnownOverflowFields } from './known-overflow-fields.js';
import { encode, nowhere } from './testing/encode.js';
import { readBlock } from './testing/read-block.js';

/** A dataset that knows integer fields. */
const knownFields = (names: ReadonlySet<string>, mark: number, share = 1): KnownOverflowFields => ({
  mark,
  share,
  has: (field, type) => type === 'integer' && names.has(field),
});

const bodyOf = (events: readonly (readonly string[])[]): string =>
  events.map((names) => JSON.stringify(Object.fromEntries(names.map((name) => [name, 1])))).join('\n');

const reportedOf = (body: string, familiar: KnownOverflowFields) => {
  const { uses, unreportedMark } = encode(body, { placement: nowhere, familiar });
  return { reported: uses.map(({ field }) => field), unreportedMark };
};

let mark = 0;

test('a new field is reported once', () => {
  const familiar = knownFields(new Set(['a', 'b.c']), ++mark, 0.5);
  const body = '{"a":1,"b":{"c":2},"new":3}\n{"d":1}\n{"d":1}';
  expect(reportedOf(body, familiar)).toEqual({ reported: ['a', 'b.c', 'new', 'd'], unreportedMark: undefined });
  expect(reportedOf(body, familiar)).toEqual({ reported: ['new', 'd'], unreportedMark: mark });
  // By another path to the same name, and with a value of another type.
  expect(reportedOf('{"b.c":1,"a":"x"}\n{"b":{"c":1}}\n{}\n{}\n{}', familiar).reported).toEqual(['a']);
  // As often as the share, it may deserve a column.
  expect(reportedOf('{"a":1}\n{}', familiar).reported).toEqual(['a']);
});

test('a field is reported again for another dataset or after a type change', () => {
  const body = '{"a":1}\n{}\n{}';
  const reportedNames = (): unknown[] => reportedOf(body, knownFields(new Set(['a']), ++mark)).reported;
  expect([reportedNames(), reportedNames()]).toEqual([['a'], ['a']]);
  expect(encode(body, { placement: nowhere }).uses).toHaveLength(1);
});

test('stored values do not depend on reported fields', () => {
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
        const familiar = knownFields(known, ++mark, share);
        for (const body of [...bodies, ...bodies]) {
          const all = encode(body, { placement: nowhere });
          const some = encode(body, { placement: nowhere, familiar });
          expect(some.block.serialized).toEqual(all.block.serialized);
          const unreported = all.uses.filter(
            (use) => !some.uses.some(({ field, type }) => field === use.field && type === use.type),
          );
          for (const { field, type, count } of unreported)
            expect(familiar.has(field, type) && count < share * all.ingested).toBe(true);
          expect(some.unreportedMark).toBe(unreported.length > 0 ? mark : undefined);
          left += unreported.length;
        }
      },
    ),
    { numRuns: 60 },
  );
  expect(left).toBeGreaterThan(0);
});

test('all names of a body with too many names count, including known ones', () => {
  const familiar = knownFields(new Set(['a', 'b']), ++mark);
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
  const familiar = knownFields(new Set(names), ++mark);
  expect(reportedOf(body, familiar).reported).toHaveLength(12_000);
  expect(reportedOf(body, familiar).reported).toEqual([]);
});
