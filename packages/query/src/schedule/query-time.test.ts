import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { orAborted, QueryTime, type Phase } from './query-time.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const neverSignal = new AbortController().signal;
const endless = (signal: AbortSignal): Promise<void> => orAborted(signal, new Promise<void>(() => undefined));
const runPhase = (time: QueryTime, phase: Phase, milliseconds: number): Promise<unknown> => {
  const done = time.within(phase, neverSignal, () => new Promise((resolve) => setTimeout(resolve, milliseconds)));
  return Promise.all([done, vi.advanceTimersByTimeAsync(milliseconds)]);
};

describe('the time of a query', () => {
  it('separates its phases; only compiling and running count as work', async () => {
    const time = new QueryTime({ work: 1000, waiting: 500 });
    await runPhase(time, 'waiting', 400);
    await runPhase(time, 'compiling', 300);
    await runPhase(time, 'running', 200);
    expect([time.spent(), time.left]).toEqual([{ waiting: 400, compiling: 300, running: 200 }, 500]);
    time.restart();
    expect([time.spent().running, time.left]).toEqual([200, 1000]);
  });

  it.each([
    ['waiting', 500, { code: 'query-waited-too-long', headers: { 'retry-after': '1' } }],
    ['compiling', 700, { code: 'time-limit' }],
    ['running', 700, { code: 'time-limit' }],
  ] as const)('ends %s after %d ms', async (phase, limit, error) => {
    const time = new QueryTime({ work: 1000, waiting: 500 });
    await runPhase(time, 'running', 300);
    const failure = time.within(phase, neverSignal, endless).catch((thrown: unknown) => thrown);
    await vi.advanceTimersByTimeAsync(limit - 1);
    expect(time.spent()[phase] + (phase === 'running' ? -300 : 0)).toBe(limit - 1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await failure).toMatchObject(error);
  });

  it('counts what runs side by side once, and no waiting while something runs', async () => {
    const time = new QueryTime({ work: 1000, waiting: 500 });
    await Promise.all([
      runPhase(time, 'waiting', 400),
      time.within('running', neverSignal, () => new Promise<void>((resolve) => setTimeout(resolve, 300))),
      time.within('compiling', neverSignal, () => new Promise<void>((resolve) => setTimeout(resolve, 100))),
    ]);
    expect(time.spent()).toEqual({ waiting: 100, compiling: 0, running: 300 });
  });

  it('ends with the query', async () => {
    const stopping = new AbortController();
    const failure = new QueryTime({ work: 1000, waiting: 500 }).within('waiting', stopping.signal, endless);
    stopping.abort();
    await expect(failure).rejects.toMatchObject({ code: 'query-cancelled' });
  });
});
