import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { AuthenticatedPrincipal } from '@millrace/http/access/authorize';
import { Metrics } from '@millrace/http/metrics';
import { Jobs } from './jobs.js';
import { QueryScheduler, unlimitedMemory } from './query-scheduler.js';
import { ExportSlots } from './export-slots.js';

const callOf = (tokenId: string, traceId = tokenId) => ({
  principal: { kind: 'personal-token', tokenId, userId: 'u' } as unknown as AuthenticatedPrincipal,
  traceId,
  abort: new AbortController(),
});
const about = { kind: 'apl', text: 'logs' } as const;

const jobsOf = (more: Partial<ConstructorParameters<typeof Jobs>[0]> = {}) =>
  new Jobs({
    scheduler: new QueryScheduler(1, unlimitedMemory),
    maxConcurrentQueries: 10,
    queryTimeout: 60_000,
    queryWaitTimeout: 60_000,
    exportSlots: new ExportSlots({ atOnce: 1, leastReaderPace: 0 }),
    metrics: new Metrics(),
    ...more,
  });

describe('the time of a query', () => {
  const leftOf = async (deadline: number): Promise<number> => deadline - performance.now();

  it('is shared by all of its turns, and restarts when the query is retried', async () => {
    const execution = jobsOf().begin(callOf('a'), about);
    expect(await execution.runInSlot(leftOf)).toBeGreaterThan(59_000);
    await execution.runInSlot(() => pause(1200));
    const left = await execution.runInSlot(leftOf);
    expect(left).toBeLessThan(58_900);
    execution.resetDeadline();
    expect(await execution.runInSlot(leftOf)).toBeGreaterThan(left + 500);
    execution.end('ok');
  });

  it('is not spent by waiting for a turn', async () => {
    const jobs = jobsOf({ queryTimeout: 1000 });
    const [first, second] = [jobs.begin(callOf('a'), about), jobs.begin(callOf('b'), about)];
    const long = first.runInSlot(() => pause(1500));
    expect(await second.runInSlot(leftOf)).toBeGreaterThan(500);
    await long;
    expect(await first.runInSlot(leftOf)).toBeLessThan(0);
  });
});

describe('queries of one request', () => {
  it('beyond half of its token’s limit wait for room, and stop waiting when the request ends', async () => {
    const jobs = jobsOf({ maxConcurrentQueries: 3 });
    const call = callOf('a');
    const first = jobs.begin(call, about);
    const second = await jobs.beginLater(call, about);
    const begun: string[] = [];
    const third = jobs.beginLater(call, about).then((execution) => (begun.push('third'), execution));
    const fourth = jobs.beginLater(call, about);
    const other = jobs.begin(callOf('a', 'other'), about);
    expect(() => jobs.begin(callOf('a', 'another'), about)).toThrow(
      'too many concurrent queries for this token (limit 3)',
    );
    other.end('ok');
    jobs.begin(callOf('b'), about).end('ok');
    expect([begun, jobs.list().map(({ id }) => id)]).toEqual([[], ['a', 'a-2']]);
    first.end('ok');
    const last = await third;
    expect(jobs.headers(call)).toMatchObject({ 'x-querylimit-remaining': '1' });
    call.abort.abort();
    await expect(fourth).rejects.toMatchObject({ code: 'query-cancelled' });
    for (const execution of [second, last]) execution.end('cancelled');
    expect([jobs.list(), jobs.headers(call)]).toMatchObject([[], { 'x-querylimit-remaining': '3' }]);
  });

  it('go on one after the other, in the order of coming, however many others of their token come', async () => {
    const jobs = jobsOf({ maxConcurrentQueries: 4 });
    const call = callOf('a');
    const others = [1, 2, 3].map(() => jobs.begin(callOf('a', 'other'), about));
    /**
     * A query that ends frees its slot at once: the token never has less than half of its limit.
     */
    const oneMore = async (): Promise<void> => {
      others.shift()!.end('ok');
      others.push(jobs.begin(callOf('a', 'other'), about));
      await pause(1);
    };
    const begun: number[] = [];
    const later = [0, 1, 2].map(async (i) => {
      const execution = await jobs.beginLater(call, about);
      begun.push(i);
      return execution;
    });
    for (const [i, execution] of later.entries()) {
      for (let more = 0; more < 5; more++) await oneMore();
      expect(begun, 'only one of them is beyond half of the limit').toEqual([0, 1, 2].slice(0, i + 1));
      (await execution).end('ok');
    }
    for (const { end } of others) end('ok');
    expect(jobs.headers(call)).toMatchObject({ 'x-querylimit-remaining': '4' });
  });

  it('get the first place that is given back when their token has all of them', async () => {
    const jobs = jobsOf({ maxConcurrentQueries: 2 });
    const [first, second] = [jobs.begin(callOf('a', 'other'), about), jobs.begin(callOf('a', 'other'), about)];
    const later = jobs.beginLater(callOf('a'), about);
    first.end('ok');
    expect(() => jobs.begin(callOf('a', 'another'), about)).toThrow(
      'too many concurrent queries for this token (limit 2)',
    );
    (await later).end('ok');
    second.end('ok');
  });

  it('each have separate state', async () => {
    const jobs = jobsOf({ scheduler: new QueryScheduler(2, unlimitedMemory) });
    const call = callOf('a');
    const [short, long] = [jobs.begin(call, about), jobs.begin(call, about)];
    let finish = (): void => {};
    const running = long.runInSlot(() => new Promise<void>((resolve) => (finish = resolve)));
    await short.runInSlot(async () => undefined);
    expect(jobs.list().map(({ state }) => state)).toEqual(['waiting', 'running']);
    finish();
    await running;
  });

  it('that are exports run from when they have a place on', async () => {
    const jobs = jobsOf();
    const execution = jobs.begin(callOf('a'), { ...about, kind: 'export' });
    const states = () => jobs.list().map(({ state }) => state);
    await execution.runInSlot(async () => undefined);
    expect(states()).toEqual(['waiting']);
    const pieces = execution.stream(execution.signal, async function* () {
      yield new Uint8Array(1);
    });
    for await (const _ of pieces) expect(states()).toEqual(['running']);
    execution.end('ok');
  });
});
