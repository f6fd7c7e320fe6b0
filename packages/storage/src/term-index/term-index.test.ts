import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Engine } from '@millrace/engine';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type EngineTestServer, openEngineTestServer } from '@millrace/server/testing/engine-test-server';
import { isDeep } from '../../../../tests/support/depth.js';

/**
 * Searches narrowed by the term index, compared with the same searches as scans, while events are
 * added, moved and deleted.
 */

const day = 86_400_000;
const first = Date.UTC(2026, 4, 1);
const perStage = 2000;
const words = [
  'alpha',
  'Beta',
  'gamma7',
  'naïve',
  'größe',
  'ſet',
  '\u212aelvin',
  'İx',
  '日本',
  'x_y',
  'tab\there',
  'a"q',
];

/** Texts in which each word occurs in one event of hundreds, and `common` in all. */
const textOf = (n: number): string => {
  const word = words[n % words.length]!;
  return n % 97 === 0 ? `common ${word}-${n} (${word})` : `common ${n}`;
};

const eventOf = (n: number, time: number): object => ({
  _time: new Date(time).toISOString(),
  n,
  message: textOf(n),
  user: `u-${n}`,
  // Few different texts, each in many events, with one exception.
  kind: n % 1000 === 321 ? `Kind-${n} only` : words[n % 5],
  mixed: n % 3 === 0 ? n : n % 3 === 1 ? `mixed ${n}` : n % 2 === 0,
  ...(n % 5 === 0 && { tags: [`tag-${n}`, { deep: [`word${n}\n`, 12_345_678_901_234_567_890n.toString()] }, n] }),
  ...(n % 7 === 0 && { map: { key: `in map ${n}` } }),
  // More names than columns: most of them are rare.
  [`rare${n % 400}`]: n % 2 === 0 ? `rare ${n}` : n,
});

const events = (from: number, start: number, step: number): readonly object[] =>
  Array.from({ length: perStage }, (_, i) => eventOf(from + i, start + i * step));

/** @param at the number of an event */
const conditionsOf = (at: number): readonly string[] => [
  `user == 'u-${at}'`,
  `user has 'U-${at}'`,
  `message has '${at}'`,
  `kind has '${at - (at % 1000) + 321}'`,
  `mixed has '${at}'`,
  `tags has 'word${at - (at % 5)}'`,
  `['map.key'] has '${at - (at % 7)}' or user == 'u-${at}'`,
  `rare${at % 400} has '${at}' and message has 'common'`,
  `user in ('u-${at}', 'u-${at + 1}', 'absent')`,
  `message startswith 'common ${at}'`,
  `message contains 'mmon ${at}'`,
  `user has_any ('${at}', 'nothing') or tags has 'tag-${at}'`,
];
const fixedConditions = [
  ...words.map((word) => `message has ${JSON.stringify(word)}`),
  ...['SET', 'kelvin', 'ix', 'NAÏVE', 'İX', 'y', 'q', 'absent', 'ba', 'def'].map((word) => `message has '${word}'`),
  "message =~ 'COMMON ſet-97 (ſet)'",
  ...['NAÏVE', 'gamma7', 'only'].map((word) => `kind has '${word}'`),
  "user == ''",
  "message has ''",
];
const searchTerms = (at: number): readonly string[] => [
  `'u-${at}'`,
  `'${at}'`,
  `'word${at - (at % 5)}'`,
  `'rare ${at - (at % 2)}'`,
  `'mixed ${at}'`,
  `'u-${at}' or 'u-${at + 1}'`,
  "'absentee'",
  "'gamma7' and 'common'",
  `'tag-${at}*'`,
  // A number is in no index, and neither is a term that accompanies a rare one.
  `'${at}' and 'u-${at}'`,
  `'u-${at}' and not('common')`,
  `'u-${at}' or ('mixed' and '${at}')`,
];

const directory = mkdtempSync(join(tmpdir(), 'millrace-words-'));
let engine: Engine;
/** Statements that the engine received. */
let statements: string[] = [];
const settings = { dataDir: directory, wordIndexRows: 1, mergeAfter: 1000, resultCacheBytes: 0, columnBudget: 256 };
const open = (more: object = {}): Promise<EngineTestServer> =>
  openEngineTestServer({ ...settings, ...more }, (taken) => {
    engine = taken;
    const query = taken.query.bind(taken);
    taken.query = (sql, options) => {
      statements.push(sql);
      return query(sql, options);
    };
    const stream = taken.stream.bind(taken);
    taken.stream = (sql, options) => {
      statements.push(sql);
      return stream(sql, options);
    };
    return taken;
  });

let world: EngineTestServer;
beforeAll(async () => {
  world = await open();
}, 120_000);
afterAll(async () => {
  await world.close();
  rmSync(directory, { recursive: true, force: true });
});

interface CountResult {
  readonly tables: readonly { readonly columns: readonly unknown[][] }[];
}

async function queryCounts(condition: string): Promise<unknown> {
  const { tables } = await world.apl<CountResult>(`logs | ${condition} | summarize c = count(), s = sum(n)`, {
    startTime: new Date(first - 400 * day),
    endTime: new Date(first + 400 * day),
  });
  return tables[0]!.columns;
}

let comparisons = 0;

/** A condition equals its double negation, which uses no index. */
async function compare(at: readonly number[], also: readonly string[] = []): Promise<void> {
  const all = [
    ...[...also, ...at.flatMap(conditionsOf)].map((one) => [`where ${one}`, `where not(not(${one}))`] as const),
    ...at.flatMap(searchTerms).map((one) => [`search ${one}`, `search not(not(${one}))`] as const),
  ];
  // Every third condition, from another one each time: four calls cover all of them.
  const from = comparisons++ % 3;
  for (const [condition, scanned] of isDeep ? all : all.filter((_, i) => i % 3 === from))
    expect([condition, await queryCounts(condition)]).toEqual([condition, await queryCounts(scanned)]);
}

/** Number of term index tables and of their rows. */
async function wordRows(): Promise<number> {
  const { body } = await engine.query(
    "SELECT toUInt64(ifNull(sum(total_rows), 0)) FROM system.tables WHERE database = 'millrace' AND match(name, '^w[0-9]+$')",
    { format: 'TabSeparated' },
  );
  return Number(Buffer.from(body).toString());
}

const patience = { timeout: 120_000, interval: 200 };
const untilIdle = (): Promise<void> =>
  vi.waitFor(async () => {
    const { text } = await world.send('GET', '/metrics');
    expect(/^millrace_settled .*$/m.exec(text)?.[0]).toBe('millrace_settled 1');
  }, patience);

/** The upper time bounds of a statement, and whether it reads nothing at all. */
const latestTimes = (sql: string): readonly bigint[] =>
  [...sql.matchAll(/lessOrEquals\(`_time`, fromUnixTimestamp64Nano\(toInt64\((\d+)\)/g)].map(([, at]) => BigInt(at!));
const asksNothing = (sql: string): boolean => /(WHERE |and\()false/.test(sql);
/**
 * The range of the queries may be left out, because it contains all events; otherwise it does not
 * count as narrowing.
 */
const rangeEnd = BigInt(first + 399 * day) * 1_000_000n;

/** Whether a query reads only a part of the time range. */
async function isNarrowed(condition: string): Promise<boolean> {
  statements = [];
  await queryCounts(condition);
  return statements.some((sql) => asksNothing(sql) || latestTimes(sql).some((at) => at < rangeEnd));
}

it('finds what scans find', { timeout: 480_000 }, async () => {
  await world.dataset('logs', events(0, first, 120_000));
  expect(await queryCounts("where message has 'common'")).toEqual([[2000], [1_999_000]]);
  await untilIdle();
  expect(await isNarrowed("where user == 'u-970'")).toBe(true);
  expect(await isNarrowed("search 'u-970'")).toBe(true);
  expect(await isNarrowed("where message has 'common'")).toBe(false);
  // Terms of a dictionary column are collected differently.
  const { body } = await engine.query("SELECT type FROM system.columns WHERE table LIKE 'd%' AND name = 'kind#s'", {
    format: 'TabSeparated',
  });
  expect(Buffer.from(body).toString()).toContain('LowCardinality');
  expect(await isNarrowed("search 'kind-321'")).toBe(true);
  // Absent terms are answered without the engine, once a result of the same form is known.
  for (const n of [1, 2, 3]) {
    statements = [];
    expect(await queryCounts(`where user == 'absent${n}'`)).toEqual([[0], [0]]);
    const { tables } = await world.apl<CountResult>(
      `logs | search 'absent${n}' | summarize l = make_list(tags), s = make_set(user), m = max(_time), c = count()`,
    );
    expect(tables[0]!.columns).toEqual([[[]], [[]], [null], [0]]);
    expect(statements.some((sql) => sql.includes('false'))).toBe(n === 1);
  }
  // Exports do so too.
  const exportRows = async (condition: string): Promise<readonly string[]> => {
    const { text } = await world.send('POST', '/v1/export', { apl: `logs | ${condition} | project n` });
    return text.split('\n').toSorted();
  };
  statements = [];
  const rows = await exportRows("search 'u-970' or 'absent'");
  expect(statements.some((sql) => latestTimes(sql).some((at) => at < rangeEnd))).toBe(true);
  expect(rows).toEqual(['', '{"n":970}']);
  expect(await exportRows("search not(not('u-970' or 'absent'))")).toEqual(rows);
  // A search reads only columns that may have the terms.
  statements = [];
  await queryCounts("search 'u-970'");
  const searched = statements.find((sql) => sql.includes('u-970'));
  expect(searched).toContain('`user#s`');
  expect(searched).not.toContain('`message#s`');
  // Also where the terms are in too many events to read only their times.
  statements = [];
  expect(await queryCounts("search 'common'")).toEqual([[2000], [1_999_000]]);
  const common = statements.find((sql) => sql.includes("'common'") && !sql.includes('cityHash64'));
  expect(common).toContain('`message#s`');
  expect(common).not.toContain('`user#s`');
  await compare([970], ["message has 'common' and user has 'u'"]);

  // Late events, new fields, terms that were present and terms that were not.
  await world.ingest('logs', events(10_000, first - 40 * day, 1000));
  await world.ingest('logs', [{ _time: new Date(first - 300 * day), n: -1, added: 'u-970 brandnew', user: 'u-5' }]);
  expect(await queryCounts("search 'brandnew'")).toEqual([[1], [-1]]);
  expect(await queryCounts("search 'u-970'")).toEqual([[2], [969]]);
  await untilIdle();
  await compare([10_970], fixedConditions);
  expect(await queryCounts("search 'brandnew'")).toEqual([[1], [-1]]);
  expect(await isNarrowed("search 'brandnew'")).toBe(true);

  // Events are deleted, and fields without events.
  await world.send('POST', '/v2/datasets/logs/trim', {
    maxDuration: `${Math.ceil((Date.now() - first) / 3_600_000) + 500}h`,
  });
  expect(await queryCounts("search 'brandnew'")).toEqual([[0], [0]]);
  await world.send('POST', '/v2/datasets/logs/vacuum');
  await world.ingest('logs', events(20_000, first + day, 1000));
  await compare([20_970]);

  // A start restores which events are covered.
  await world.close();
  world = await open({ mergeAfter: 60_000 });
  expect(await queryCounts("where user == 'u-20970'")).toEqual([[1], [20_970]]);
  expect(await queryCounts("search 'u-970'")).toEqual([[1], [970]]);
  // Again without an index in memory.
  await world.close();
  world = await open({ wordMemoryBytes: 0 });
  await untilIdle();
  expect(await isNarrowed("where user == 'u-20970'")).toBe(true);
  await compare([20_970]);
});

it(
  'is made again when a batch comes behind others that are covered, and goes where it is not wanted',
  { timeout: 120_000 },
  async () => {
    const before = await wordRows();
    expect(before).toBeGreaterThan(2000);
    await world.close();
    world = await open({ wordIndexRows: 0 });
    expect(await wordRows()).toBe(0);
    expect(await isNarrowed("where user == 'u-970'")).toBe(false);
    await compare([970]);
    await world.send('DELETE', '/v2/datasets/logs');
  },
);
