import { sampleTraffic } from '@millrace/sample-data';
import type { Page, Request } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { closePage, complaintsOf, openConsoleServer, fill, openPage, shopEnd } from '../../testing/console-server.js';
import { memoryOf } from '../../testing/page-memory.js';
import { boardOf } from './testing/example-dashboards.js';

/**
 * A dashboard of forty elements sends one request for the visible ones. The load over ten million
 * events is measured by
 *
 * BOARD_EVENTS=10000000 npx vitest run packages/console/src/pages/dashboards/dashboard-load.test.ts
 *
 * which prints the time of the dashboard, the time of its queries run sequentially, and the memory
 * of the page.
 */
const events = Number(process.env['BOARD_EVENTS'] ?? 0);
const PER_REQUEST = 20_000;
const ROUNDS = 5;
const ELEMENTS = 40;
const dataset = events > 0 ? 'boardload' : 'shop';
const range = { timeWindowStart: 'qr-now-2h', refreshTime: 0 };

const fields = ['service', 'route', 'host', 'version', 'method', 'status'] as const;
/** Forty different queries of typical kinds. */
const elements = Array.from({ length: ELEMENTS }, (_, index) => {
  const by = fields[index % fields.length]!;
  const where = `${dataset} | where duration_ms > ${Math.floor(index / 6)}`;
  const kinds = [
    ['TimeSeries', `${where} | summarize count() by bin_auto(_time), ${by}`],
    ['TimeSeries', `${where} | summarize percentile(duration_ms, ${90 + (index % 10)}) by bin_auto(_time), ${by}`],
    ['Statistic', `${where} | summarize countif(status >= 500) by bin_auto(_time)`],
    ['TopK', `${where} | summarize sum(bytes) by ${by} | top 10 by sum_bytes`],
    ['Table', `${where} | summarize count(), avg(duration_ms), max(bytes) by ${by}`],
    ['Pie', `${where} | summarize dcount(user_id) by ${by}`],
    ['Heatmap', `${where} | summarize histogram(duration_ms, 20) by bin_auto(_time)`],
  ] as const;
  const [type, apl] = kinds[index % kinds.length]!;
  return [
    { id: `element ${index}`, type, name: `Element ${index}`, query: { apl } },
    [(index % 3) * 4, Math.floor(index / 3) * 4, 4, 4],
  ] as const;
});

const uid = 'load';
const TALL = 4000;

beforeAll(async () => {
  const { request } = await openConsoleServer();
  const dashboard = boardOf('Forty elements', elements, range);
  await request('/v2/dashboards', { body: JSON.stringify({ dashboard, uid, overwrite: true }) });
  if (events === 0) return;
  await fill(request, dataset, []);
  for (let sent = 0; sent < events; sent += PER_REQUEST) {
    const part = sampleTraffic({
      count: PER_REQUEST,
      end: shopEnd,
      milliseconds: 3_600_000,
      seed: 1 + sent / PER_REQUEST,
    });
    const { status } = await request(`/v1/datasets/${dataset}/ingest`, { body: JSON.stringify(part) });
    expect(status).toBe(200);
  }
}, 3_600_000);

const isBatch = (request: Request): boolean => request.url().includes('/v1/query/batch');
const queriesOf = (request: Request): readonly unknown[] => request.postDataJSON() as readonly unknown[];
/** Until everything in view is drawn. */
const quiet = (page: Page): Promise<unknown> =>
  page.waitForFunction(
    () =>
      document.querySelector('[aria-busy=false] figure') !== null &&
      document.querySelector('[aria-busy=true], [class*=running]') === null,
    undefined,
    { timeout: 600_000 },
  );

it('queries visible elements in one request, and nothing else; elements out of view have no canvas', async () => {
  const page = await openPage('settings');
  const asked: Request[] = [];
  page.on('request', (request) => isBatch(request) && asked.push(request));
  await page.goto(page.url().replace('settings', `dashboards/${uid}`));
  await quiet(page);
  expect(asked).toHaveLength(1);
  expect(queriesOf(asked[0]!).length).toBeLessThan(ELEMENTS / 2);
  const canvases = (): Promise<number> => page.locator('canvas').count();
  const before = await canvases();
  await page.locator('[data-element]').last().scrollIntoViewIfNeeded();
  await expect.poll(() => asked.length).toBeGreaterThan(1);
  await quiet(page);
  expect(await canvases()).toBeLessThanOrEqual(before + 3);
  // Loaded elements are not queried again.
  const all = asked
    .flatMap(queriesOf)
    .map((query) => JSON.stringify((query as { aplRequest: { apl: string } }).aplRequest.apl));
  expect(new Set(all).size).toBe(all.length);
  expect(complaintsOf.get(page)).toEqual([]);
  await closePage(page);
});

it.runIf(events > 0)(
  'the dashboard compared with its queries run sequentially',
  async () => {
    const { request } = await openConsoleServer();
    const page = await openPage(`dashboards/${uid}`, { height: TALL });
    await quiet(page);
    const rounds: object[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const begun = Date.now();
      const done = page.waitForEvent('requestfinished', { predicate: isBatch, timeout: 600_000 });
      await page.getByRole('button', { name: 'Refresh' }).click();
      await done;
      await quiet(page);
      const board = Date.now() - begun;
      let [wall, engine] = [0, 0];
      for (const [{ query }] of elements) {
        const started = Date.now();
        const body = JSON.stringify({ ...query, startTime: 'now-2h', endTime: 'now' });
        const { body: answer } = await request('/v1/datasets/_apl?format=tabular', { body });
        wall += Date.now() - started;
        engine += (answer as { status: { elapsedTime: number } }).status.elapsedTime / 1000;
      }
      rounds.push({ board, wall, engine: Math.round(engine), ratio: (board / engine).toFixed(2) });
    }
    const memory = await memoryOf(page);
    expect(complaintsOf.get(page)).toEqual([]);
    process.stdout.write(`${JSON.stringify({ events, rounds, memory }, undefined, 1)}\n`);
    await closePage(page);
  },
  3_600_000,
);
