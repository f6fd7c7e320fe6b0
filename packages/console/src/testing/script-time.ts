import type { Page } from 'playwright-core';

/** Measures the script of a page by trace events, in CPU time, which excludes other processes. */

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds. */
  readonly ts: number;
  readonly dur?: number;
  readonly tdur?: number;
}

/** Events that run script; nested ones are part of the outermost. */
const SCRIPT = new Set([
  'EventDispatch',
  'TimerFire',
  'FireAnimationFrame',
  'FireIdleCallback',
  'FunctionCall',
  'EvaluateScript',
  'RunMicrotasks',
  'v8.evaluateModule',
]);

const MARK = 'millrace-step';

/** @returns milliseconds of script on the main thread during each step */
export async function scriptTimes(
  page: Page,
  count: number,
  step: (index: number) => Promise<unknown>,
): Promise<readonly number[]> {
  const browser = page.context().browser()!;
  await browser.startTracing(page, { categories: ['devtools.timeline', 'blink.user_timing', 'v8'] });
  const mark = (): Promise<void> =>
    page.evaluate((name) => {
      performance.mark(name);
    }, MARK);
  for (let index = 0; index < count; index++) {
    await mark();
    await step(index);
  }
  await mark();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    readonly traceEvents: readonly TraceEvent[];
  };
  const marks = traceEvents.filter(({ name }) => name === MARK).toSorted((a, b) => a.ts - b.ts);
  const [first] = marks;
  if (first === undefined || marks.length !== count + 1) throw new Error(`${marks.length} marks of ${count + 1}`);
  const script = traceEvents
    .filter(({ name, ph, pid, tid }) => ph === 'X' && pid === first.pid && tid === first.tid && SCRIPT.has(name))
    .toSorted((a, b) => a.ts - b.ts);
  const times = Array.from({ length: count }, () => 0);
  let end = 0;
  let at = 0;
  for (const { ts, dur = 0, tdur = 0 } of script) {
    if (ts < end) continue;
    end = ts + dur;
    while (at < count && marks[at + 1]!.ts <= ts) at++;
    if (at < count && ts >= first.ts) times[at]! += tdur / 1000;
  }
  return times;
}

export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? 0;
}
