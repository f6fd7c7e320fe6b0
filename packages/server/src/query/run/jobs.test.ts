import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { AuthenticatedPrincipal } from '../../access/allowed.js';
import { Metrics } from '../../metrics.js';
import { Jobs } from './jobs.js';
import { ExportPlaces } from './export-places.js';

const callOf = (tokenId: string, traceId = tokenId) => ({
  principal: { kind: 'personal-token', tokenId, userId: 'u' } as unknown as AuthenticatedPrincipal,
  traceId,
  abort: new AbortController(),
});
const about = { kind: 'apl', text: 'logs' } as const;

const jobsOf = (more: Partial<ConstructorParameters<typeof Jobs>[0]> = {}) =>
  new Jobs({
    engineSessions: 1,
    maxConcurrentQueries: 10,
    queryTimeout: 60_000,
    places: new ExportPlaces({ atOnce: 1, leastReaderPace: 0 }),
    metrics: new Metrics(),
    ...more,
  });

describe('the time of a query', () => {
  const leftOf = async (deadline: number): Promise<number> => deadline - performance.now();

  it('is shared by all of its turns, and starts again when the query is asked anew', async () => {
    const course = jobsOf().begin(callOf('a'), about);
    expect(await course.turn(leftOf)).toBeGreaterThan(59_000);
    await course.turn(() => pause(1200));
    const left = await course.turn(leftOf);
    expect(left).toBeLessThan(58_900);
    course.anew();
    expect(await course.turn(leftOf)).toBeGreaterThan(left + 500);
    course.end('ok');
  });

  it('is not spent by waiting for a turn', async () => {
    const jobs = jobsOf({ queryTimeout: 1000 });
    const [first, second] = [jobs.begin(callOf('a'), about), jobs.begin(callOf('b'), about)];
    const long = first.turn(() => pause(1500));
    expect(await second.turn(leftOf)).toBeGreaterThan(500);
    await long;
    expect(await first.turn(leftOf)).toBeLessThan(0);
  });
});

describe('queries of one request', () => {
  it('beyond half of its token’s limit wait for room, and stop waiting when the request ends', async () => {
    const jobs = jobsOf({ maxConcurrentQueries: 3 });
    const call = callOf('a');
    const first = jobs.begin(call, about);
    const second = await jobs.beginLater(call, about);
    const begun: string[] = [];
    const third = jobs.beginLater(call, about).then((course) => (begun.push('third'), course));
    const fourth = jobs.beginLater(call, about);
    const other = jobs.begin(callOf('a', 'other'), about);
    expect(() => jobs.begin(callOf('a', 'another'), about)).toThrow('already runs 3 queries');
    other.end('ok');
    jobs.begin(callOf('b'), about).end('ok');
    expect([begun, jobs.list().map(({ id }) => id)]).toEqual([[], ['a', 'a-2']]);
    first.end('ok');
    const last = await third;
    expect(jobs.headers(call)).toMatchObject({ 'x-querylimit-remaining': '1' });
    call.abort.abort();
    await expect(fourth).rejects.toMatchObject({ code: 'query-cancelled' });
    for (const course of [second, last]) course.end('cancelled');
    expect([jobs.list(), jobs.headers(call)]).toMatchObject([[], { 'x-querylimit-remaining': '3' }]);
  });

  it('go on one after the other, in the order of coming, however many others of their token come', async () => {
    const jobs = jobsOf({ maxConcurrentQueries: 4 });
    const call = callOf('a');
    const others = [1, 2, 3].map(() => jobs.begin(callOf('a', 'other'), about));
    /**
     * A query that ends makes room for the next at once: the token never has less than half of its
     * limit.
     */
    const oneMore = async (): Promise<void> => {
      others.shift()!.end('ok');
      others.push(jobs.begin(callOf('a', 'other'), about));
      await pause(1);
    };
    const begun: number[] = [];
    const later = [0, 1, 2].map(async (i) => {
      const course = await jobs.beginLater(call, about);
      begun.push(i);
      return course;
    });
    for (const [i, course] of later.entries()) {
      for (let more = 0; more < 5; more++) await oneMore();
      expect(begun, 'only one of them is beyond half of the limit').toEqual([0, 1, 2].slice(0, i + 1));
      (await course).end('ok');
    }
    for (const { end } of others) end('ok');
    expect(jobs.headers(call)).toMatchObject({ 'x-querylimit-remaining': '4' });
  });

  it('get the first place that is given back when their token has all of them', async () => {
    const jobs = jobsOf({ maxConcurrentQueries: 2 });
    const [first, second] = [jobs.begin(callOf('a', 'other'), about), jobs.begin(callOf('a', 'other'), about)];
    const later = jobs.beginLater(callOf('a'), about);
    first.end('ok');
    expect(() => jobs.begin(callOf('a', 'another'), about)).toThrow('already runs 2 queries');
    (await later).end('ok');
    second.end('ok');
  });

  it('each have a state of their own', async () => {
    const jobs = jobsOf({ engineSessions: 2 });
    const call = callOf('a');
    const [short, long] = [jobs.begin(call, about), jobs.begin(call, about)];
    let finish = (): void => {};
    const running = long.turn(() => new Promise<void>((resolve) => (finish = resolve)));
    await short.turn(async () => undefined);
    expect(jobs.list().map(({ state }) => state)).toEqual(['waiting', 'running']);
    finish();
    await running;
  });

  it('that are exports run from when they have a place on', async () => {
    const jobs = jobsOf();
    const course = jobs.begin(callOf('a'), { ...about, kind: 'export' });
    const states = () => jobs.list().map(({ state }) => state);
    await course.turn(async () => undefined);
    expect(states()).toEqual(['waiting']);
    const pieces = course.stream(course.signal, async function* () {
      yield new Uint8Array(1);
    });
    for await (const _ of pieces) expect(states()).toEqual(['running']);
    course.end('ok');
  });
});
