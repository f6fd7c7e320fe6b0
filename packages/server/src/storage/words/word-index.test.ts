import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Engine } from '@millrace/engine';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type EngineWorld, openEngineWorld } from '../../testing/engine-world.js';

/**
 * Searches that the index of words narrows, compared with the same ones as scans, while events
 * come, move and go.
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

/** Texts of which each word is in one event of hundreds, and `common` in all. */
const textOf = (n: number): string => {
  const word = words[n % words.length]!;
  return n % 97 === 0 ? `common ${word}-${n} (${word})` : `common ${n}`;
};

const eventOf = (n: number, time: number): object => ({
  _time: new Date(time).toISOString(),
  n,
  message: textOf(n),
  user: `u-${n}`,
  // Few texts, each of them in many events, but for one.
  kind: n % 1000 === 321 ? `Kind-${n} only` : words[n % 5],
  mixed: n % 3 === 0 ? n : n % 3 === 1 ? `mixed ${n}` : n % 2 === 0,
  ...(n % 5 === 0 && { tags: [`tag-${n}`, { deep: [`word${n}\n`, 12_345_678_901_234_567_890n.toString()] }, n] }),
  ...(n % 7 === 0 && { map: { key: `in map ${n}` } }),
  // More names than there are columns for: most of them are rare.
  [`rare${n % 400}`]: n % 2 === 0 ? `rare ${n}` : n,
});

const events = (from: number, start: number, step: number): readonly object[] =>
  Array.from({ length: perStage }, (_, i) => eventOf(from + i, start + i * step));

/** @param at a number of an event */
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
const fixed = [
  ...words.map((word) => `message has ${JSON.stringify(word)}`),
  ...['SET', 'kelvin', 'ix', 'NAÏVE', 'İX', 'y', 'q', 'absent', 'ba', 'def'].map((word) => `message has '${word}'`),
  "message =~ 'COMMON ſet-97 (ſet)'",
  ...['NAÏVE', 'gamma7', 'only'].map((word) => `kind has '${word}'`),
  "user == ''",
  "message has ''",
];
const searched = (at: number): readonly string[] => [
  `'u-${at}'`,
  `'${at}'`,
  `'word${at - (at % 5)}'`,
  `'rare ${at - (at % 2)}'`,
  `'mixed ${at}'`,
  `'u-${at}' or 'u-${at + 1}'`,
  "'absentee'",
  "'gamma7' and 'common'",
  `'tag-${at}*'`,
  // A number is in no index, and neither is what is looked for beside something rare.
  `'${at}' and 'u-${at}'`,
  `'u-${at}' and not('common')`,
  `'u-${at}' or ('mixed' and '${at}')`,
];

const directory = mkdtempSync(join(tmpdir(), 'millrace-words-'));
let engine: Engine;
/** The rows that each statement read. */
let statements: string[] = [];
const settings = { dataDir: directory, wordIndexRows: 1, mergeAfter: 1000, resultCacheBytes: 0, columnBudget: 256 };
const open = (more: object = {}): Promise<EngineWorld> =>
  openEngineWorld({ ...settings, ...more }, (taken) => {
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

let world: EngineWorld;
beforeAll(async () => {
  world = await open();
}, 120_000);
afterAll(async () => {
  await world.close();
  rmSync(directory, { recursive: true, force: true });
});

interface Counted {
  readonly tables: readonly { readonly columns: readonly unknown[][] }[];
}

async function found(condition: string): Promise<unknown> {
  const { tables } = await world.apl<Counted>(`logs | ${condition} | summarize c = count(), s = sum(n)`, {
    startTime: new Date(first - 400 * day),
    endTime: new Date(first + 400 * day),
  });
  return tables[0]!.columns;
}

/** A condition says the same as its double negation, of which no words are known. */
async function compare(at: readonly number[], also: readonly string[] = []): Promise<void> {
  const all = [
    ...[...also, ...at.flatMap(conditionsOf)].map((one) => [`where ${one}`, `where not(not(${one}))`] as const),
    ...at.flatMap(searched).map((one) => [`search ${one}`, `search not(not(${one}))`] as const),
  ];
  for (const [condition, scanned] of all)
    expect([condition, await found(condition)]).toEqual([condition, await found(scanned)]);
}

/** How many tables and rows of words there are. */
async function wordRows(): Promise<number> {
  const { body } = await engine.query(
    "SELECT toUInt64(ifNull(sum(total_rows), 0)) FROM system.tables WHERE database = 'millrace' AND match(name, '^w[0-9]+$')",
    { format: 'TabSeparated' },
  );
  return Number(Buffer.from(body).toString());
}

const patience = { timeout: 120_000, interval: 200 };
const settled = (): Promise<void> =>
  vi.waitFor(async () => {
    const { text } = await world.send('GET', '/metrics');
    expect(/^millrace_settled .*$/m.exec(text)?.[0]).toBe('millrace_settled 1');
  }, patience);

/** The latest times that a statement asks for, and whether it asks for nothing at all. */
const latestTimes = (sql: string): readonly bigint[] =>
  [...sql.matchAll(/lessOrEquals\(`_time`, fromUnixTimestamp64Nano\(toInt64\((\d+)\)/g)].map(([, at]) => BigInt(at!));
const asksNothing = (sql: string): boolean => /(WHERE |and\()false/.test(sql);
/**
 * The range of the questions may be left out, because it has all events; where it is not, it is no
 * narrowing.
 */
const rangeEnd = BigInt(first + 399 * day) * 1_000_000n;

/** Whether a question reads only a part of the times. */
async function isNarrowed(condition: string): Promise<boolean> {
  statements = [];
  await found(condition);
  return statements.some((sql) => asksNothing(sql) || latestTimes(sql).some((at) => at < rangeEnd));
}

it('finds what scans find', { timeout: 480_000 }, async () => {
  await world.dataset('logs', events(0, first, 120_000));
  expect(await found("where message has 'common'")).toEqual([[2000], [1_999_000]]);
  await settled();
  expect(await isNarrowed("where user == 'u-970'")).toBe(true);
  expect(await isNarrowed("search 'u-970'")).toBe(true);
  expect(await isNarrowed("where message has 'common'")).toBe(false);
  // Words of a dictionary are gathered in another way.
  const { body } = await engine.query("SELECT type FROM system.columns WHERE table LIKE 'd%' AND name = 'kind#s'", {
    format: 'TabSeparated',
  });
  expect(Buffer.from(body).toString()).toContain('LowCardinality');
  expect(await isNarrowed("search 'kind-321'")).toBe(true);
  // What no event has is told without the engine, once an answer of the same form is known.
  for (const n of [1, 2, 3]) {
    statements = [];
    expect(await found(`where user == 'absent${n}'`)).toEqual([[0], [0]]);
    const { tables } = await world.apl<Counted>(
      `logs | search 'absent${n}' | summarize l = make_list(tags), s = make_set(user), m = max(_time), c = count()`,
    );
    expect(tables[0]!.columns).toEqual([[[]], [[]], [null], [0]]);
    expect(statements.some((sql) => sql.includes('false'))).toBe(n === 1);
  }
  // So do exports.
  const exported = async (condition: string): Promise<readonly string[]> => {
    const { text } = await world.send('POST', '/v1/export', { apl: `logs | ${condition} | project n` });
    return text.split('\n').toSorted();
  };
  statements = [];
  const rows = await exported("search 'u-970' or 'absent'");
  expect(statements.some((sql) => latestTimes(sql).some((at) => at < rangeEnd))).toBe(true);
  expect(rows).toEqual(['', '{"n":970}']);
  expect(await exported("search not(not('u-970' or 'absent'))")).toEqual(rows);
  // A search looks only into columns that may have the words.
  statements = [];
  await found("search 'u-970'");
  const searched = statements.find((sql) => sql.includes('u-970'));
  expect(searched).toContain('`user#s`');
  expect(searched).not.toContain('`message#s`');
  await compare([970]);

  // Late events, new fields, words that were there and words that were not.
  await world.ingest('logs', events(10_000, first - 40 * day, 1000));
  await world.ingest('logs', [{ _time: new Date(first - 300 * day), n: -1, added: 'u-970 brandnew', user: 'u-5' }]);
  expect(await found("search 'brandnew'")).toEqual([[1], [-1]]);
  expect(await found("search 'u-970'")).toEqual([[2], [969]]);
  await settled();
  await compare([10_970], fixed);
  expect(await found("search 'brandnew'")).toEqual([[1], [-1]]);
  expect(await isNarrowed("search 'brandnew'")).toBe(true);

  // Events are deleted, and fields that no event has any more.
  await world.send('POST', '/v2/datasets/logs/trim', {
    maxDuration: `${Math.ceil((Date.now() - first) / 3_600_000) + 500}h`,
  });
  expect(await found("search 'brandnew'")).toEqual([[0], [0]]);
  await world.send('POST', '/v2/datasets/logs/vacuum');
  await world.ingest('logs', events(20_000, first + day, 1000));
  await compare([20_970]);

  // A start knows what is covered, and what is not.
  await world.close();
  world = await open({ mergeAfter: 60_000 });
  expect(await found("where user == 'u-20970'")).toEqual([[1], [20_970]]);
  expect(await found("search 'u-970'")).toEqual([[1], [970]]);
  // The same without words in memory.
  await world.close();
  world = await open({ wordMemoryBytes: 0 });
  await settled();
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
