import { printQuery } from '@millrace/sql';
import { array, assert, constantFrom, oneof, property, string } from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { compileOrThrow } from '../../testing/compile-text.js';
import { testEngine } from '../../testing/engine.js';
import { catalogOf, createDataset } from '../../testing/events.js';

const engine = testEngine();

describe('texts are looked for one after the other where that gives the same as the regular expression', () => {
  const check = (pattern: string, byPosition: boolean): void =>
    it(`${pattern}: ${byPosition ? 'yes' : 'no'}`, () => {
      const sql = printQuery(compileOrThrow(`datatable(t:string)["x"] | parse ${pattern}`).query);
      expect(sql.includes('extractGroups(')).toBe(!byPosition);
      expect(sql.includes('position(') || sql.includes('startsWith(')).toBe(byPosition);
    });
  check('t with a "x" b', true);
  check('t with "x" a:long "y"', true);
  check('t with * "x" a *', true);
  check('t with "x" a:datetime', true);
  check('kind=relaxed t with * "x" a:long "y" *', true);
  // A value of the type ends the column.
  check('t with "x" a:long *', false);
  check('t with "x" a:real b', false);
  check('t with "x" a ""', false);
  check('t with a', false);
  check('t with "x" a "y"', true);
  check('flags=i t with "x" a "y"', false);
  check('kind=regex t with "x" a "y"', false);
  const many = (count: number): string => Array.from({ length: count }, (_, i) => `"k${i}=" c${i} `).join('');
  check(`t with ${many(8)}`, true);
  check(`t with ${many(9)}`, false);
});

it('a stored text without the search term does not match, whatever else is stored', () => {
  const texts = ['get', 'GET', 'a b', '', 'x=1', 'c d', 'k,v', 'POST'];
  const events = [...texts, ...texts].map((message, i) => ({
    _time: `2024-06-15T11:${10 + i}:00Z`,
    'message#s': message,
  }));
  const catalog = catalogOf(createDataset(engine, 'stored', events));
  const rows = (apl: string): unknown => engine.rows(compileOrThrow(`stored | ${apl}`, { catalog }).query);
  expect(rows('parse message with a " " b | distinct a, b | order by a asc')).toEqual([
    ['a', 'b'],
    ['c', 'd'],
    [null, null],
  ]);
  expect(rows('parse-where message with "a" * "b" | count')).toEqual([[2]]);
});

const pieces = ['a', 'b', 'ab', 'aab', ' ', 'é', '😀', '\n', '.', '%', 'A', '1', '-', '\u0000', '"', '\\'];
const types = ['', '', '', ':long', ':real', ':bool', ':dynamic', ':timespan'];
const text = array(constantFrom(...pieces, '12', '3', 'true', ''), { maxLength: 12 }).map((parts) => parts.join(''));
const segment = oneof(
  { weight: 4, arbitrary: constantFrom(...pieces, '').map((literal) => JSON.stringify(literal)) },
  { weight: 1, arbitrary: constantFrom('*') },
  { weight: 3, arbitrary: constantFrom(...types) },
);
const operator = constantFrom('parse', 'parse kind=relaxed', 'parse-where', 'parse-where kind=relaxed');

// The flag has no effect, but requires the regular expression.
const withRegex = (head: string): string =>
  head.includes('kind=') ? `${head} flags=s` : `${head} kind=simple flags=s`;

const runs = Number(process.env['PARSE_RUNS'] ?? 60);
/** A run makes two queries; each takes some milliseconds, many times that on a busy machine. */
const timeout = 60_000 + runs * 1000;

test('both ways give the same', { timeout }, () => {
  let byPosition = 0;
  const same = property(
    operator,
    array(segment, { minLength: 1, maxLength: 7 }),
    array(oneof(text, string({ unit: 'binary', maxLength: 8 })), { minLength: 20, maxLength: 40 }),
    (head, segments, texts) => {
      const pattern = segments.map((s, i) => (s === '' || s.startsWith(':') ? `c${i}${s}` : s)).join(' ');
      const rows = [...texts.map((t) => JSON.stringify(t)), 'string(null)'];
      const ask = (way: string): string =>
        `datatable(t:string)[${rows.join(', ')}] | ${way} t with ${pattern} | order by t asc`;
      const query = compileOrThrow(ask(head)).query;
      if (!printQuery(query).includes('extractGroups(')) byPosition++;
      expect(engine.rows(query)).toEqual(engine.rows(compileOrThrow(ask(withRegex(head))).query));
    },
  );
  assert(same, { numRuns: runs });
  expect(byPosition).toBeGreaterThan(runs / 4);
});
