import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { queryPostgres, sharedPostgres, whyNoPostgres } from '../testing/postgres.js';
import { openPostgres, type Postgres } from './open-postgres.js';

describe.skipIf(whyNoPostgres() !== undefined)('the order of arrival among processes', () => {
  let url: string;
  let one: Postgres;
  let other: Postgres;
  beforeAll(async () => {
    url = await (await sharedPostgres()).place();
    [one, other] = [await openPostgres(url), await openPostgres(url)];
  });
  beforeEach(async () => void (await queryPostgres(url, 'DELETE FROM arrivals')));
  afterAll(() => Promise.all([one, other].map(({ shared }) => shared.close())));
  const follow = ({ shared }: Postgres) => shared.follow(async () => undefined);

  test('new positions are above the settled ones, and the in-flight ones never are', async () => {
    const inFlight = new Set<bigint>();
    const given: bigint[] = [];
    const taking = [one, other, one, other].map(async (process, n) => {
      const arrivals = process.arrivals(BigInt(n + 1));
      for (let i = 0; i < 12; i++) {
        const before = arrivals.watermark.upTo([1, 2]);
        const first = await arrivals.allocate(1 + (i % 2), [1, 1, 1].slice(i % 3));
        expect(first).toBeGreaterThan(before);
        inFlight.add(first);
        given.push(first);
        if (i % 4 === 3) await new Promise((resolve) => setTimeout(resolve, 2));
        // From now on it may be below the watermark.
        inFlight.delete(first);
        await arrivals.recordStored(first, 1);
      }
    });
    let going = true;
    const following = [one, other].map(async (process) => {
      const { check } = follow(process);
      const { watermark } = process.arrivals(0n);
      let known = 0n;
      while (going) {
        const lowest = [...inFlight].toSorted((a, b) => Number(a - b))[0];
        await check();
        expect(watermark.upTo()).toBeGreaterThanOrEqual(known);
        known = watermark.upTo();
        if (lowest !== undefined && inFlight.has(lowest)) expect(known).toBeLessThan(lowest);
      }
    });
    await Promise.all(taking);
    going = false;
    await Promise.all(following);
    expect(new Set(given).size).toBe(given.length);
    await follow(one).check();
    const { watermark } = one.arrivals(0n);
    expect(watermark.upTo()).toBe(watermark.last);
  });

  test('a dataset waits for its own inserts only', async () => {
    const arrivals = one.arrivals(1n);
    const first = await arrivals.allocate(1, [2, 3]);
    const second = await arrivals.allocate(2, [1]);
    await follow(one).check();
    expect([[1], [2], [3], [1, 2]].map((ids) => arrivals.watermark.upTo(ids))).toEqual([
      first - 1n,
      second - 1n,
      second,
      first - 1n,
    ]);
  });

  test('finds entries left by a dead process, including ones it took unknowingly', async () => {
    const epoch = await one.nodes.enter({ name: 'a', version: '1' });
    const arrivals = one.arrivals(epoch);
    const [allocated, stray] = [await arrivals.allocate(1, [1]), await arrivals.allocate(1, [2, 3])];
    expect(await other.arrivals(0n).stale()).toEqual([]);
    arrivals.release(stray);
    await arrivals.tidy();
    // A process that waits for it may still get the response.
    expect(await arrivals.stale()).toEqual([]);
    await queryPostgres(url, "UPDATE arrivals SET begun = now() - interval '1 minute'");
    await arrivals.tidy();
    const left = { first: stray, last: stray + 1n, datasetId: 1, sizes: [2, 3] };
    const mine = { first: allocated, last: allocated, datasetId: 1, sizes: [1] };
    expect(await arrivals.stale()).toEqual([left]);
    await one.nodes.leave(epoch);
    expect(await other.arrivals(0n).stale()).toEqual([mine, left]);
    await other.arrivals(0n).giveUp([left]);
    expect(await arrivals.stale()).toEqual([mine]);
  });

  test('remembers arrivals for a while, and whether events of a position are in flight', async () => {
    const arrivals = one.arrivals(1n);
    const [first, second] = [await arrivals.allocate(7, [2, 3]), await arrivals.allocate(8, [1])];
    await arrivals.recordStored(first, 5);
    expect(await other.arrivals(0n).listStored()).toEqual([{ first, last: first + 1n, datasetId: 7, rows: 5 }]);
    const states = [1n, first + 1n, second, second + 1n].map((position) => arrivals.isOver(position));
    expect(await Promise.all(states)).toEqual([true, true, false, false]);
    await queryPostgres(url, "UPDATE arrivals SET done = now() - interval '1 hour' WHERE done IS NOT NULL");
    await arrivals.prune();
    expect(await arrivals.listStored()).toEqual([]);
  });

  test('goes on above events that the database does not know of', async () => {
    const arrivals = one.arrivals(1n);
    const before = await arrivals.allocate(1, [1]);
    expect([await arrivals.goOnAbove(before + 100n), await arrivals.goOnAbove(before)]).toEqual([true, false]);
    expect(await arrivals.allocate(1, [1])).toBe(before + 101n);
  });
});
