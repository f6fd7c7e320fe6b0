import { beforeAll, describe, expect, it } from 'vitest';
import { sampleTraffic } from '@millrace/sample-data';
import { closePage, openConsoleServer, fill, openPage, shopEnd } from '../../testing/console-server.js';
import { percentile, scriptTimes } from '../../testing/script-time.js';

/**
 * Script while typing and scrolling, and time to the first rows. Not a part of the tests: times
 * depend on the machine. `docs/performance.md` has the results of
 *
 * QUERY_SPEED=measure npx vitest run packages/console/src/pages/query/query-speed.test.ts
 */
const EVENTS = 20_000;
const FRAME = 40;

describe.runIf(process.env['QUERY_SPEED'] === 'measure')('the Query page', () => {
  beforeAll(async () => {
    const { request } = await openConsoleServer();
    await fill(request, 'many', sampleTraffic({ count: EVENTS, end: shopEnd, milliseconds: 3_600_000, seed: 3 }));
  }, 60_000);

  const say = (what: string, values: readonly number[]): void => {
    const [median, p95] = [percentile(values, 50), percentile(values, 95)];
    process.stdout.write(`${what}: median ${median.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms\n`);
  };

  it('runs little script per key', async () => {
    const page = await openPage('query?q=many');
    await page.getByText(/500 of/).waitFor();
    await page.locator('.cm-content').focus();
    await page.keyboard.press('Control+End');
    const text = ' | where status >= 500 and service == "checkout" | summarize count(), avg(duration_ms) by route';
    const times = await scriptTimes(page, text.length, async (index) => {
      await page.keyboard.type(text[index]!);
      // As fast as a quick typist.
      await page.waitForTimeout(80);
    });
    say('script per key', times);
    expect(times).toHaveLength(text.length);
    await closePage(page);
  }, 120_000);

  it.each(['log', 'table'])(
    'runs little script per frame of scrolling: %s',
    async (view) => {
      const page = await openPage(`query?q=many&v=${view}`);
      await page.getByText(/500 of/).waitFor();
      const grid = (await page.getByRole('grid').boundingBox())!;
      await page.mouse.move(grid.x + grid.width / 2, grid.y + grid.height / 2);
      const times = await scriptTimes(page, 120, async () => {
        await page.mouse.wheel(0, 160);
        await page.waitForTimeout(FRAME);
      });
      say(`script per scrolled frame, ${view}`, times);
      expect(times).toHaveLength(120);
      await closePage(page);
    },
    120_000,
  );

  it('shows the first rows soon', async () => {
    const page = await openPage('settings');
    const waits: number[] = [];
    for (let run = 0; run < 7; run++) {
      const from = performance.now();
      await page.goto(page.url().replace(/console\/.*/, 'console/query?q=many'));
      await page.getByRole('grid').getByRole('row').first().waitFor();
      waits.push(performance.now() - from);
    }
    say('from opening to the first rows', waits);
    expect(waits).toHaveLength(7);
    await closePage(page);
  }, 120_000);
});
