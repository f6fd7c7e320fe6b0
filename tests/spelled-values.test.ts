import { column } from '@millrace/sql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Dataset } from '../packages/apl/src/model/catalog.ts';
import { aggregateNames } from '../packages/apl/src/aggregates/index.ts';
import { functions } from '../packages/apl/src/functions/index.ts';
import { infixOperators, signOperators } from '../packages/apl/src/syntax/infix-operators.ts';
import { operatorNames } from '../packages/apl/src/syntax/operator-names.ts';
import { compileText } from '../packages/apl/src/testing/compile-text.ts';
import { catalogOf } from '../packages/apl/src/testing/events.ts';
import type { EngineTestServer } from '@millrace/server/testing/engine-test-server';
import { sharedTestServer } from '@millrace/server/testing/shared-test-server';
import { isDeep } from './support/depth.js';

/**
 * Queries equal values in different serializations with every function, aggregation and operator in
 * the language tables. Each serialization has a separate dataset with the same events, and all
 * results must be equal.
 */

/** Ways to write a value as JSON. */
const spellings: readonly ((value: unknown) => string)[] = [
  (value) => JSON.stringify(value),
  (value) => JSON.stringify(value, null, 2),
  escapeValue,
  roundabout,
];

/** Every character as an escape, and blanks where they are allowed. */
function escapeValue(value: unknown): string {
  if (typeof value === 'string')
    return `"${value.replace(/[^]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}`)}"`;
  return composeJson(value, escapeValue, ' ');
}

/**
 * Serializes a value in an unusual way: escaped slashes, exponents, and duplicate properties, where
 * the last one wins.
 */
function roundabout(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value).replaceAll('/', '\\/');
  if (typeof value === 'number') return Number.isInteger(value) ? `${value}.0` : `${value}0E0`;
  if (Array.isArray(value) || typeof value !== 'object' || value === null) return composeJson(value, roundabout, '\t');
  const members = Object.entries(value).flatMap(([key, member]) => [
    `${roundabout(key)}:"not this"`,
    `${roundabout(key)}:${roundabout(member)}`,
  ]);
  // The order of members is that in which they come last.
  return `{${[...members.filter((_, i) => i % 2 === 0), ...members.filter((_, i) => i % 2 === 1)].join(',')}}`;
}

function composeJson(value: unknown, one: (value: unknown) => string, blank: string): string {
  if (Array.isArray(value)) return `[${blank}${value.map(one).join(`${blank},${blank}`)}${blank}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, member]) => `${one(key)}${blank}:${blank}${one(member)}`);
  return `{${blank}${members.join(`${blank},${blank}`)}${blank}}`;
}

/**
 * The literals of dynamic values in a text, as they stand there. Those with more digits than this
 * test can spell are left out.
 */
function literalsIn(apl: string): readonly { readonly written: string; readonly value: unknown }[] {
  return [...apl.matchAll(/dynamic\(/g)].flatMap(({ index }) => {
    for (let end = apl.indexOf(')', index); end >= 0; end = apl.indexOf(')', end + 1)) {
      const written = apl.slice(index, end + 1);
      const json = written.slice('dynamic('.length, -1);
      try {
        const value: unknown = JSON.parse(json);
        const isSpelled = typeof value === 'object' && value !== null && !/\d{16}|\d[eE]/.test(json);
        return isSpelled ? [{ written, value }] : [];
      } catch {
        continue;
      }
    }
    return [];
  });
}

/** The examples of all functions, with a field of the events in place of each literal. */
const fields = new Map<string, unknown>();
const examples = functions.flatMap(({ examples: all }) =>
  all.flatMap(({ apl }) => {
    const literals = literalsIn(apl);
    if (literals.length === 0) return [];
    let asked = apl;
    for (const { written, value } of literals) {
      const names = [...fields].find(([, known]) => JSON.stringify(known) === JSON.stringify(value));
      const name = names?.[0] ?? `d${fields.size}`;
      fields.set(name, value);
      // Objects outside a map become separate fields.
      asked = asked.replace(written, `m.${name}`);
    }
    return [asked];
  }),
);

const list = ['café', 'a/b', '1,2', 1.5, 7, { x: 2, 'y/z': [true, null, 'é"\\'] }];
const texts = ['café', 'a/b', '1,2'];

let world: EngineTestServer;
beforeAll(async () => {
  world = await sharedTestServer();
  await world.dataset('spelled');
  await world.send('POST', '/v2/datasets/spelled/mapfields', { name: 'm' });
  const events = spellings.map((spell, k) => {
    const values = { v: list, t: texts, m: { v: list, t: texts, ...Object.fromEntries(fields) } };
    const members = Object.entries(values).map(([name, value]) => `${JSON.stringify(name)}:${spell(value)}`);
    return `{"_time":"2026-05-01T00:00:00Z","k":${k},"n":1,${members.join(',')}}`;
  });
  const { status } = await world.send('POST', '/v1/datasets/spelled/ingest', events.join('\n'));
  expect(status).toBe(200);
});
afterAll(() => world.close());

/**
 * The dataset as the compiler sees it, to check without the engine whether a text is a valid query.
 */
const spelledDataset: Dataset = {
  name: 'spelled',
  database: 'events',
  table: 'spelled',
  fields: new Map(
    ['v', 't', 'm', 'n', 'k'].map((name) => {
      const type = name === 'n' || name === 'k' ? 'long' : name === 'm' ? 'bag' : 'array';
      return [name, { name, readings: [{ type, sql: column(name) }], map: name === 'm' }];
    }),
  ),
};
const catalog = { ...catalogOf(spelledDataset), reference: {} };
const isQuery = (text: string): boolean => compileText(text, { catalog }).kind === 'compiled';

/**
 * `SPELLINGS=all npx vitest run tests/spelled-values.test.ts` runs all expressions. By default
 * every twelfth one runs, which suffices because stored values do not depend on the expression.
 */
const share = process.env['SPELLINGS'] === 'all' || isDeep ? 1 : 12;

/** Changes from one row or second to the next. */
const changes = /\b(?:rand|new_guid|now|ago|row_number|row_cumsum|prev|next)\(/;

/**
 * Finds the expressions whose values differ between the serializations. Fails if fewer than `min`
 * expressions are valid.
 */
async function unequal(
  expressions: readonly string[],
  min: number,
  query: (columns: string) => string,
): Promise<readonly string[]> {
  const some = expressions.filter((_, i) => i % share === 0);
  const asked = some.filter((text) => !changes.test(text) && isQuery(query(`e = tostring(${text})`)));
  expect(asked.length).toBeGreaterThan(min / share);
  const different: string[] = [];
  for (let from = 0; from < asked.length; from += 50) {
    const batch = asked.slice(from, from + 50);
    const apl = query(batch.map((text, i) => `e${i} = tostring(${text})`).join(', '));
    const columns = (await world.apl(apl)).tables[0]!.columns.slice(-batch.length);
    for (const [i, values] of columns.entries()) {
      expect(values).toHaveLength(spellings.length);
      if (new Set(values).size !== 1) different.push(`${batch[i]} gives ${JSON.stringify(values)}`);
    }
  }
  return different;
}

const projectQuery = (columns: string): string => `spelled | project ${columns}`;

test('every function: its examples, with stored values in place of literals', { timeout: 120_000 }, async () =>
  expect(await unequal(examples, 150, projectQuery)).toEqual([]),
);

test('every function of one value: the value, a member of a map, and its text', { timeout: 120_000 }, async () => {
  const calls = functions.flatMap(({ name, overloads }) =>
    overloads.some(({ params }) => params.filter(({ optional }) => optional !== true).length === 1)
      ? ['v', 'm.v', 'tostring(v)'].map((value) => `${name}(${value})`)
      : [],
  );
  expect(await unequal(calls, 150, projectQuery)).toEqual([]);
});

test('every operator between values', { timeout: 120_000 }, async () => {
  const needles = ['"café"', '"a/b"', '"1.5,7"', '"u00e9"', 't'];
  const lists = ['("café", "a/b")', '(dynamic(["1,2", 7]))', '(m.t)'];
  const tests = ['v', 'm.v', 'tostring(t)'].flatMap((value) =>
    [...infixOperators.values(), ...signOperators].flatMap(({ name, ...rest }) => {
      const kind = 'kind' in rest ? rest.kind : 'sign';
      if (kind === 'between') return [`${value} ${name} ("a" .. "z")`];
      return (kind === 'membership' ? lists : needles).map((needle) => `${value} ${name} ${needle}`);
    }),
  );
  expect(await unequal(tests, 200, projectQuery)).toEqual([]);
});

test('every aggregation', { timeout: 120_000 }, async () => {
  const calls = aggregateNames().flatMap((name) => [
    ...['v', 'm.v', 'tostring(v)', 'v has "café"'].map((value) => `${name}(${value})`),
    ...['v, 5', 'n, v', 'v, v has "a/b"'].map((values) => `${name}(${values})`),
  ]);
  expect(await unequal(calls, 80, (columns) => `spelled | summarize ${columns} by k | sort by k asc`)).toEqual([]);
});

/**
 * One pipeline step per operator that evaluates values. Operators that need no value pass it
 * through.
 */
const steps: Readonly<Record<string, string>> = {
  as: 'as T | where v has "café"',
  count: 'where m.v contains "a/b" | count',
  distinct: 'distinct v, tostring(m.v)',
  evaluate: 'project m | evaluate bag_unpack(m)',
  extend: 'extend x = strcat(v, m.t)',
  'extend-valid': 'extend-valid x = v, y = m.t',
  facet: 'extend w = tostring(v) | facet by w | sort by facet asc',
  find: 'project v | as T | where v has "a/b"',
  fork: 'fork (where v has "café") (summarize count() by tostring(t)) | sort by fork asc',
  getschema: 'getschema',
  invoke: 'invoke f()',
  join: 'join kind=inner (D | project v, k = n) on v',
  limit: 'limit 2 | project v',
  lookup: 'extend w = tostring(t) | lookup (D | project w = tostring(t), k = n) on w',
  'make-series': 'make-series count() on _time step 1s by tostring(v)',
  'mv-apply': 'mv-apply e = v on (where e has "a/b" | project e)',
  'mv-expand': 'mv-expand v | project v',
  order: 'order by tostring(v) asc, n asc | project v',
  parse: 'extend w = tostring(v) | parse w with "[\\"" first "\\"," rest',
  'parse-kv': 'extend w = tostring(m) | parse-kv w as (v: string) with (pair_delimiter=",", kv_delimiter=":")',
  'parse-where': 'extend w = tostring(v) | parse-where w with * "a/b" rest',
  partition: 'extend w = tostring(t) | partition by w (summarize count() by w)',
  project: 'project v, m',
  'project-away': 'project-away n',
  'project-keep': 'project-keep v, m',
  'project-rename': 'project-rename w = v | project w',
  'project-reorder': 'project-reorder v',
  redact: 'project v = tostring(v) | redact "caf." on v',
  reduce: 'extend w = tostring(v) | reduce by w',
  render: 'summarize count() by tostring(v) | render table',
  sample: 'sample 2 | summarize count() by tostring(v)',
  'sample-distinct': 'extend w = tostring(v) | sample-distinct 5 of w',
  scan: 'scan declare (x: string) with (step s: v has "café" => x = tostring(v);) | project x',
  search: 'search "café" and "a/b" | count',
  serialize: 'serialize x = tostring(v)',
  sort: 'sort by tostring(m.v) asc, n asc | project m',
  summarize: 'summarize make_list(v), count() by tostring(v)',
  take: 'take 2 | project v, m',
  top: 'top 1 by tostring(v) | project v',
  'top-hitters': 'extend w = tostring(v) | top-hitters 2 of w',
  'top-nested': 'extend w = tostring(v) | top-nested 2 of w by count()',
  union: 'union (D | where v has "1,2") | summarize count() by tostring(v)',
  where: 'where v has_all ("café", "b") and t has "1,2" and m.v has "true" | project v',
};

/** Two spellings per operator, so that each occurs with many; all of them in a deep run. */
const spellingsOf = (index: number): readonly number[] => {
  const all = [...spellings.keys()];
  return share === 1 ? all : [all[0]!, all[1 + (index % (all.length - 1))]!];
};

test('every operator of a pipeline', { timeout: 120_000 }, async () => {
  expect([...operatorNames].filter((name) => steps[name] === undefined)).toEqual([]);
  const declared = 'let f = (T: (*)) { T | where v has "café" | project v, t };';
  for (const [index, [name, step]] of Object.entries(steps).entries()) {
    const of = async (k: number): Promise<string> => {
      const source = `spelled | where k == ${k} | project-away k, _sysTime`;
      const { tables } = await world.apl(`${declared} ${source} | ${step.replaceAll('(D ', `(${source} `)}`);
      expect(tables[0]!.columns[0]?.length ?? 0, name).toBeGreaterThan(0);
      return JSON.stringify(tables.map(({ columns }) => columns));
    };
    const answers = [];
    for (const k of spellingsOf(index)) answers.push(await of(k));
    expect(new Set(answers).size, `${name}: ${answers.join('\n')}`).toBe(1);
  }
});
