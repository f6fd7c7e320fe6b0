import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ColumnBudget } from './column-budget.js';
import { withCore } from './core.js';
import { comma } from './csv/index.js';
import { encodeCsv } from './encode-csv.js';
import { encodeJson } from './encode-json.js';
import type { EncodeOptions, EncodeResult, LockedSchema } from './encode.js';
import { encode, everywhere, nowhere, options, rows } from './testing/encode.js';
import { caseCount } from '../../../tests/support/depth.js';

/** Runs `use` on a new core, without retained keys. */
const afresh = <Result>(use: () => Result): Result => withCore(() => use());
/** The retained keys of the core for the bodies of this file. */
const retainedKeys = () => withCore(({ names }) => names);

const csv = (text: string, given: EncodeOptions) => encodeCsv(Buffer.from(text), { delimiter: comma }, given);

/** The complete result of the encoder, with the block as its bytes. */
const answer = ({ block, ...rest }: EncodeResult): unknown => [rest, block.serialized];

const outcome = (encode: () => EncodeResult): unknown => {
  try {
    return answer(encode());
  } catch (error) {
    return String(error);
  }
};

describe('names known from earlier bodies', () => {
  const long = 'n'.repeat(30);
  const usual = ['a', 'b', 'c', 'a.b', 'b.c', '', '_time', 'ts', '_sysTime', 'm', 'é'];
  // Other spellings of the same names, names over a limit of 20 or over the default limit, and a
  // name that is never retained.
  const unusual = [
    String.raw`\u0061`,
    String.raw`_\u0074ime`,
    String.raw`\ud800`,
    long,
    'n'.repeat(201),
    'n'.repeat(2000),
  ];
  const key = fc.constantFrom(...usual, ...unusual);
  const scalar = fc.constantFrom('1', '2.5', 'true', 'null', '"x"', '"2024-01-01T00:00:00Z"', '[1]', '{}');
  const { object } = fc.letrec<{ object: string }>((tie) => ({
    object: fc
      .array(fc.tuple(key, fc.oneof({ weight: 5, arbitrary: scalar }, { weight: 2, arbitrary: tie('object') })), {
        maxLength: 5,
      })
      .map((members) => `{${members.map(([name, value]) => `"${name}":${value}`).join(',')}}`),
  }));
  const body = fc.oneof(
    { weight: 4, arbitrary: fc.array(object, { maxLength: 6 }).map((events) => events.join('\n')) },
    { weight: 1, arbitrary: object.map((event) => `${event}\n{"a":1,"b"\n${event}`) },
  );
  const schema: LockedSchema = {
    fields: new Map([
      ['a', ['float']],
      ['b.c', ['string', 'map']],
    ]),
  };
  const change = fc.constantFrom<Parameters<typeof options>[0]>(
    {},
    { timestampField: 'ts' },
    { timestampField: 'a.b', placement: nowhere },
    { mapFields: new Set(['a', 'm']) },
    { mapFields: new Set(['a,m', 'b.c']), timestampField: 'ts' },
    { schema },
    { limits: { maxNameBytes: 20 } },
    { limits: { maxNameBytes: 3, maxJsonDepth: 2 } },
    { labels: Buffer.from('{"b":"label","a":{"b":1}}') },
    { labels: Buffer.from('{"b":') },
    {
      placement: {
        place: () => {
          throw new Error('nowhere');
        },
      },
    },
  );
  const rowsOfCells = fc
    .array(fc.constantFrom('a', 'b', 'ts', '_time', 'm', '_sysTime', long, 'n'.repeat(201)), { maxLength: 6 })
    .map((names) => `${names.join(',')}\n${names.map(() => 'x').join(',')}\n${names.map(() => '').join(',')}x\n`);

  test('changes nothing that is answered', () => {
    let kept = 0;
    const numRuns = caseCount(15, 500);
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.oneof(body, rowsOfCells), change), { maxLength: 12 }), (bodies) => {
        for (const [text, changes] of bodies) {
          const given = options(changes);
          const read = () => (text.startsWith('{') ? encodeJson(Buffer.from(text), given) : csv(text, given));
          if (retainedKeys() !== undefined) kept++;
          const past = outcome(read);
          expect(past).toEqual(afresh(() => outcome(read)));
        }
      }),
      { numRuns },
    );
    expect(kept).toBeGreaterThan(numRuns);
  });

  test('is the same for all datasets, however they alternate', () => {
    rows('{"a":1}');
    const before = retainedKeys();
    expect(before).toBeDefined();
    for (let round = 0; round < 3; round++) {
      for (const placement of [everywhere, nowhere, new ColumnBudget()]) rows('{"a":1,"b":{"c":2}}', { placement });
      rows('{"a":1}', { mapFields: new Set(['b']) });
      csv('a,b\n1,2\n', options());
    }
    expect(retainedKeys()).toBe(before);
  });

  test('says nothing of what followed a name over the limit elsewhere', () => {
    const over = 'n'.repeat(1300);
    expect(rows(`{"o":{"${over}":1,"a":1}}\n{"${over}":2,"a":2}\n{"o":{"${over}":1,"a":3}}`)).toEqual([
      { 'o.a#i': 1n },
      { 'a#i': 2n },
      { 'o.a#i': 3n },
    ]);
  });
});

describe('it is forgotten', () => {
  const madeUp = (body: number, names: number) => Array.from({ length: names }, (_, n) => `made up ${body} ${n}`);
  const event = (names: readonly string[]) => encode(`{${names.map((name) => `"${name}":1`).join(',')}}`);
  const many = (bodies: number, read: (body: number) => unknown) => () => {
    for (let body = 0; body < bodies; body++) read(body);
  };

  test.each([
    ['a failure', () => outcome(() => encode('{"a":1}', { labels: Buffer.from('{') }))],
    ['too many keys in one body', () => event(madeUp(0, 100_000))],
    ['too many keys in many bodies', many(10, (body) => event(madeUp(body, 10_000)))],
    ['too many columns of CSV', many(4, (body) => csv(`${madeUp(body, 20_000).join(',')}\n1\n`, options()))],
    ['too many sets of options', many(200, (body) => encode('{"a":1}', { timestampField: `t${body}` }))],
  ])('after %s', (_, read) => {
    const body = '{"a":1,"b":{"c":2}}';
    rows(body);
    const before = retainedKeys();
    expect(before).toBeDefined();
    read();
    expect(rows(body)).toEqual([{ 'a#i': 1n, 'b.c#i': 2n }]);
    expect(retainedKeys()).not.toBe(before);
  });
});
