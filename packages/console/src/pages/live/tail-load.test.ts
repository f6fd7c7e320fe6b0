import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { closePage, complaintsOf, openConsoleServer, fill, openPage } from '../../testing/console-server.js';
import { memoryOf } from '../../testing/page-memory.js';

/**
 * Memory of a tail under load is bounded. Here the ring buffer overflows; 5,000 events per second
 * for ten minutes are measured by
 *
 * TAIL_SECONDS=600 npx vitest run packages/console/src/pages/live/tail-load.test.ts
 */
const seconds = Number(process.env['TAIL_SECONDS'] ?? 0);
const PER_ROUND = 5000;
/** Overflows the ring buffer twice. */
const ROUNDS = seconds > 0 ? seconds : 24;

beforeAll(openConsoleServer);

interface Sample {
  readonly round: number;
  readonly heap: number;
  readonly nodes: number;
  /** Resident bytes of the page processes, with the worker that holds the ring buffer. */
  readonly resident: number;
  readonly frame: number;
}

it(
  'has constant memory and nodes, and reports evicted events',
  async () => {
    const { request } = await openConsoleServer();
    await fill(request, 'flood', []);
    const page = await openPage('tail?q=flood');
    await page.getByText(/Complete up to/).waitFor();
    const samples: Sample[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const began = Date.now();
      const events = Array.from({ length: PER_ROUND }, (_, n) => ({
        level: n % 50 === 0 ? 'error' : 'info',
        msg: `GET /items/${round * PER_ROUND + n} 200`,
        service: 'catalogue',
        duration_ms: n / 7,
        request_id: `${round}-${n}`,
      }));
      await request('/v1/datasets/flood/ingest', { body: JSON.stringify(events) });
      const isHalf = round + 1 === ROUNDS / 2;
      if (seconds > 0 && (round + 1) % 60 === 0) samples.push(await sample(page, round + 1));
      else if (isHalf || round + 1 === ROUNDS) {
        await waitForEvents(page, round + 1);
        samples.push(await sample(page, round + 1));
      }
      if (seconds > 0) await new Promise((resolve) => setTimeout(resolve, Math.max(0, 1000 - (Date.now() - began))));
    }
    await waitForEvents(page, ROUNDS);
    if (seconds > 0) process.stdout.write(`${JSON.stringify(samples, undefined, 1)}\n`);
    // The oldest events are evicted, as the page says.
    await page.getByText(/dropped from the buffer/).waitFor();
    const [before, after] = [samples.at(seconds > 0 ? 1 : 0)!, samples.at(-1)!];
    expect(after.nodes).toBeLessThan(1500);
    expect(Math.abs(after.nodes - before.nodes)).toBeLessThan(100);
    expect(after.heap).toBeLessThan(before.heap * 1.3 + 2e6);
    expect(complaintsOf.get(page)).toEqual([]);
    await closePage(page);
  },
  (seconds + 180) * 1000,
);

/** The number is visible and announced to screen readers, in either order. */
const waitForEvents = (page: Page, rounds: number): Promise<void> =>
  page
    .getByText(`${(rounds * PER_ROUND).toLocaleString('en')} events`, { exact: true })
    .first()
    .waitFor({ timeout: 120_000 });

async function sample(page: Page, round: number): Promise<Sample> {
  // The sixth longest frame of a second.
  const frame = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const lengths: number[] = [];
        let last = performance.now();
        const step = (now: number): void => {
          lengths.push(now - last);
          last = now;
          if (lengths.length < 100) requestAnimationFrame(step);
          else resolve(lengths.toSorted((a, b) => b - a)[5]!);
        };
        requestAnimationFrame(step);
      }),
  );
  const { heap, nodes, resident } = await memoryOf(page);
  return { round, heap, nodes, resident, frame: Math.round(frame) };
}
