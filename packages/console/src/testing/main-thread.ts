import type { Page } from 'playwright-core';

/** What kept the thread of a page busy, so that it could not answer to keys or scroll. */

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
 * The longest task of a page's thread while something is done, in milliseconds of its CPU time: the
 * page can do nothing else meanwhile. What other processes do on the machine does not count.
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

/** Rows of an answer whose parsing is the measure for what a page may do at once. */
const YARDSTICK_ROWS = 150_000;

/** The same work takes so much more CPU time when others use the caches of the processor. */
const SCATTER = 1.3;

/**
 * How long this machine takes for what takes about a tenth of a second on an ordinary one: to parse
 * 150,000 events, and what two measurements of the same may differ by. A task may not take as long,
 * or people notice that the page stands still.
 */
export async function yardstick(page: Page): Promise<number> {
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
