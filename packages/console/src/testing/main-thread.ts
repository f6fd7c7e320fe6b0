import type { Page } from 'playwright-core';

/** Measures tasks that block the main thread. */

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds of CPU time. */
  readonly tdur?: number;
}

const MARK = 'millrace-main-thread';

/**
 * Longest task of the main thread during an action, in milliseconds of CPU time, which excludes
 * other processes.
 */
export async function longestTask(page: Page, work: () => Promise<unknown>): Promise<number> {
  const browser = page.context().browser()!;
  await browser.startTracing(page, { categories: ['toplevel', 'blink.user_timing'] });
  await page.evaluate((name) => performance.mark(name), MARK);
  await work();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    readonly traceEvents: readonly TraceEvent[];
  };
  const marked = traceEvents.find(({ name }) => name === MARK);
  if (marked === undefined) throw new Error('the trace does not have the thread of the page');
  const tasks = traceEvents.filter(({ ph, pid, tid }) => ph === 'X' && pid === marked.pid && tid === marked.tid);
  return Math.max(0, ...tasks.map(({ tdur = 0 }) => tdur / 1000));
}

/** Rows of a result whose parsing calibrates the limit. */
const YARDSTICK_ROWS = 150_000;

/**
 * Tolerance: other tests run beside this one, and shared caches and cores increase the CPU time of
 * the same work by up to a half. What freezes a page takes several times as long.
 */
const SCATTER = 2;

/**
 * CPU time of this machine for parsing 150,000 events, which takes a tenth of a second on an
 * ordinary one, and the variance of two measurements. A longer task is a noticeable freeze.
 */
export async function measureReferenceTask(page: Page): Promise<number> {
  const parsing = await longestTask(page, () =>
    page.evaluate((rows) => {
      const event = { _time: '2026-11-26T10:00:00.123456789Z', level: 'info', msg: 'GET /items/1 200', n: 1.5, id: 7 };
      const text = JSON.stringify(
        Array.from({ length: rows }, (_, n) => ({ ...event, n, a: `a${n}`, b: 'b', c: 'c' })),
      );
      return new Promise((resolve) => setTimeout(() => resolve((JSON.parse(text) as unknown[]).length)));
    }, YARDSTICK_ROWS),
  );
  return SCATTER * parsing;
}
