import { expect, it } from 'vitest';
import { MemoryBroker } from './memory-shares.js';

const neverSignal = new AbortController().signal;
const settle = () => new Promise((resolve) => setImmediate(resolve));
const sharesOf = (totalBytes: number) => new MemoryBroker({ totalBytes, maxBytes: 200, guaranteedBytes: 20 });

it('offers half of the free memory, and the guaranteed share always', () => {
  const shares = sharesOf(200);
  const offered = Array.from({ length: 6 }, () => shares.offer());
  expect(offered.map(({ bytes }) => bytes)).toEqual([100, 50, 25, 20, 20, 20]);
  for (const share of offered) share.release();
  for (const share of offered) share.release();
  expect(shares.offer().bytes).toBe(100);
});

it('offers the most that one may have where there is much', () => {
  expect(sharesOf(1000).offer()).toMatchObject({ bytes: 200, isMax: true });
});

it('gives all to one party after the other, and the guaranteed share in between', async () => {
  const shares = sharesOf(200);
  const first = shares.offer();
  const got: string[] = [];
  const want = async (who: string): Promise<() => void> => {
    const share = await shares.requestMax(who, neverSignal);
    got.push(`${who} ${share.bytes}`);
    return share.release;
  };
  const wanted = ['greedy', 'greedy', 'modest'].map(want);
  await settle();
  expect([got, shares.offer().bytes]).toEqual([[], 20]);
  first.release();
  (await wanted[0]!)();
  (await wanted[2]!)();
  (await wanted[1]!)();
  expect([got, shares.offer().bytes]).toEqual([['greedy 200', 'modest 200', 'greedy 200'], 100]);
});

it('one alone gets more than there is room for', async () => {
  const share = await sharesOf(100).requestMax('a', neverSignal);
  expect(share.bytes).toBe(200);
});

it('a canceled request blocks no other', async () => {
  const shares = sharesOf(200);
  const first = shares.offer();
  const leaving = new AbortController();
  const left = shares.requestMax('a', leaving.signal);
  const stays = shares.requestMax('b', neverSignal);
  await settle();
  leaving.abort();
  await expect(left).rejects.toMatchObject({ code: 'query-cancelled' });
  first.release();
  expect((await stays).bytes).toBe(200);
});
