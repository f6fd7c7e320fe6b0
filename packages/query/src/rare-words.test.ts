import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EngineTestServer, openEngineTestServer } from '@millrace/server/testing/engine-test-server';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';

/** How many rows searches read: a few granules for a rare word, one column for a frequent one. */

const events = 81_920;
const rowsOfGranule = 8192;
const first = Date.UTC(2026, 4, 1);

const directory = mkdtempSync(join(tmpdir(), 'millrace-rare-'));
let world: EngineTestServer;
/** Statements that read events, and the rows that each read. */
let reads: { readonly sql: string; readonly rows: number }[] = [];

beforeAll(async () => {
  world = await openEngineTestServer(
    { dataDir: directory, wordIndexRows: 1, mergeAfter: 1000, resultCacheBytes: 0 },
    (engine) => {
      const query = engine.query.bind(engine);
      engine.query = async (sql, options) => {
        const result = await query(sql, options);
        if (/FROM `millrace`.`d\d+`/.test(sql)) reads.push({ sql, rows: result.statistics.rowsRead });
        return result;
      };
      return engine;
    },
  );
  await world.dataset(
    'logs',
    Array.from({ length: events }, (_, n) => ({
      _time: new Date(first + n * 1000).toISOString(),
      message: `frequent text ${n % 10}`,
      user: n % 40_000 === 17 ? `rare${n}x` : `user${n % 50}`,
    })),
  );
  await vi.waitFor(
    async () => {
      const { text } = await world.send('GET', '/metrics');
      expect(/^millrace_settled 1$/m.test(text)).toBe(true);
    },
    { timeout: 120_000, interval: 200 },
  );
}, 300_000);
afterAll(async () => {
  await world.close();
  rmSync(directory, { recursive: true, force: true });
});

/** The largest read among the statements of a query, and the number of events that match. */
async function readBy(condition: string) {
  reads = [];
  const { tables } = await world.apl<{ tables: { columns: unknown[][] }[] }>(
    `logs | ${condition} | summarize n = count()`,
  );
  const largest = reads.reduce((a, b) => (b.rows > a.rows ? b : a));
  return { found: tables[0]!.columns[0]![0], ...largest };
}

it.each(["search 'rare40017x'", "where user has 'rare40017x'", "where user == 'rare40017x'"])(
  '%s reads the granules of one time span',
  async (condition) => {
    const { found, rows } = await readBy(condition);
    expect(found).toBe(1);
    expect(rows).toBeGreaterThan(0);
    expect(rows).toBeLessThanOrEqual(4 * rowsOfGranule);
  },
);

it('a frequent word is looked for only in the columns that have it', async () => {
  const { found, rows, sql } = await readBy("search 'frequent'");
  expect([found, rows]).toEqual([events, events]);
  expect(sql).toContain('`message#s`');
  expect(sql).not.toContain('`user#s`');
});
