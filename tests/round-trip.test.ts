import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type EngineTestServer, openEngineTestServer } from '@millrace/server/testing/engine-test-server';
import { type Address, apl, createDataset, send } from './support/apl.ts';

/** A query returns any JSON as it was sent, except for documented differences. */

let world: EngineTestServer;
let server: Address;
beforeAll(async () => {
  // So few columns that most fields are in the overflow column, which must make no difference.
  world = await openEngineTestServer({ columnBudget: 16 });
  server = { url: world.url, token: world.owner };
});
afterAll(() => world.close());

/** Few names, so that each has many types, and occurs both as a dotted name and as an object. */
const name = fc.constantFrom(
  'a',
  'b',
  'A',
  'a.b',
  'b.a',
  'status',
  'two words',
  '0',
  '',
  '.',
  'é',
  '日本',
  '😀',
  '"',
  // Not '\\' alone: where a key ends with one, JSON.parse of Node 26.10 takes the next key with an
  // escape for it.
  'a\\b',
  "'",
  '`',
  '$',
  '%',
  '{}',
  '[0]',
  '--',
  '\n',
  '\t',
  '\u0000',
  '__proto__',
  'constructor',
  'null',
  'count_',
  'a#i',
  '\ud800',
);
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.constantFrom(
    '',
    ' ',
    '1',
    'true',
    'null',
    '[]',
    '{}',
    '\0',
    '\ud800',
    'x\udc00',
    "\\'",
    '%_',
    '2026-11-20T00:00:00Z',
  ),
);
const number = fc.oneof(
  fc.integer(),
  fc.maxSafeInteger(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, 0.5, 1e15, 2 ** 53, 2 ** 63, 1e21, 5e-324, Number.MAX_VALUE, -Number.MAX_VALUE),
);
const { object } = fc.letrec<{ value: unknown; object: Record<string, unknown> }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    text,
    number,
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('object'),
  ),
  object: fc.dictionary(name, tie('value'), { maxKeys: 5, noNullPrototype: true }),
}));

/** Text without lone surrogates, which UTF-8 cannot encode. */
const wellFormed = (value: string): string => Buffer.from(value).toString();

/** An array, or a value within one, after a round trip: unchanged, except that JSON has no -0. */
function inArray(value: unknown): unknown {
  if (Object.is(value, -0)) return 0;
  if (typeof value === 'string') return wellFormed(value);
  if (Array.isArray(value)) return value.map(inArray);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [wellFormed(key), inArray(item)]));
}

/** Integers from 2^63 to 2^64 - 1 are IDs: they become strings with their digits. */
const scalar = (value: unknown): unknown =>
  typeof value === 'number' && value >= 2 ** 63 && value < 2 ** 64 ? String(value) : inArray(value);

/** Dotted name → value, without nulls; the last of equal names wins. */
function flatten(event: object, prefix = '', into = new Map<string, unknown>()): Map<string, unknown> {
  for (const [key, value] of Object.entries(event) as [string, unknown][]) {
    const path = prefix + wellFormed(key);
    if (value === null) into.delete(path);
    else if (typeof value !== 'object' || Array.isArray(value)) into.set(path, scalar(value));
    else if (Object.keys(value).length === 0) into.set(path, {});
    else flatten(value, `${path}.`, into);
  }
  return into;
}

it.each([1, 2, 3])('any JSON value, seed %i', async (seed) => {
  const dataset = `any${seed}`;
  await createDataset(server, dataset);
  const events = fc.sample(object, { seed, numRuns: 300 }).map((value, id) => ({ id, value }));
  const sent = events.map(({ id, value }) => ({ id, ...value, in: value, list: [value] }));
  const body = seed % 2 === 0 ? JSON.stringify(sent) : sent.map((event) => JSON.stringify(event)).join('\n');
  expect((await send(server, dataset, body)).body).toMatchObject({ ingested: sent.length, failed: 0 });

  const { tables } = await apl(server, `${dataset} | sort by id asc`);
  const { fields, columns } = tables[0]!;
  expect(fields.length).toBeGreaterThan(100);
  const got = sent.map((_, row) => {
    const entries = fields.map((field, index) => [field.name, columns[index]![row]] as const);
    return new Map(entries.filter(([key, value]) => value !== null && !key.startsWith('_')));
  });
  const sortEntries = (rows: readonly Map<string, unknown>[]) =>
    rows.map((row) => [...row].toSorted(([left], [right]) => (left < right ? -1 : 1)));
  const expected = sent.map((event) => flatten(event));
  expect(sortEntries(got)).toEqual(sortEntries(expected).map((row) => row.filter(([key]) => !key.startsWith('_'))));
});
