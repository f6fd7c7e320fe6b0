import { expect, it } from 'vitest';
import { FairRequestQueue } from './fair-queue.js';

/** Blocks for longer than the limit per tick. */
function busy(): void {
  const until = performance.now() + 12;
  while (performance.now() < until);
}

it('requests begin at once while there is time, and then senders take turns', async () => {
  const turns = new FairRequestQueue();
  const begun: string[] = [];
  const add = (sender: string, name: string): void =>
    turns.add(
      () => sender,
      () => {
        begun.push(name);
        busy();
      },
    );
  for (const name of ['first', 'a1', 'a2', 'a3']) add('greedy', name);
  add('modest', 'b1');
  add('other', 'c1');
  expect([begun, turns.waiting]).toEqual([['first'], 5]);
  await expect.poll(() => turns.waiting).toBe(0);
  expect(begun).toEqual(['first', 'a1', 'b1', 'c1', 'a2', 'a3']);
  // After a tick in which no request started.
  for (let loops = 0; loops < 2; loops++) await new Promise((resolve) => setImmediate(resolve));
  add('greedy', 'later');
  expect(begun.at(-1)).toBe('later');
});

it('a newly arrived request is next, however many of another sender wait; the event loop runs between two requests', async () => {
  const turns = new FairRequestQueue();
  const begun: string[] = [];
  let loops = 0;
  const loop = setInterval(() => loops++, 1);
  for (let i = 0; i < 20; i++)
    turns.add(
      () => 'greedy',
      () => {
        begun.push('greedy');
        busy();
      },
    );
  await expect.poll(() => begun.length).toBeGreaterThan(5);
  const before = begun.length;
  turns.add(
    () => 'modest',
    () => begun.push('modest'),
  );
  await expect.poll(() => turns.waiting).toBe(0);
  clearInterval(loop);
  expect(begun.indexOf('modest')).toBeLessThanOrEqual(before + 1);
  expect(begun).toHaveLength(21);
  expect(loops).toBeGreaterThan(10);
});

it('while connections come, most turns of the loop are theirs, and requests begin nevertheless', async () => {
  const turns = new FairRequestQueue();
  let begun = 0;
  turns.accept();
  for (let i = 0; i < 3; i++)
    turns.add(
      () => 'a',
      () => {
        begun++;
        busy();
      },
    );
  expect([begun, turns.waiting]).toEqual([0, 3]);
  for (let loops = 0; turns.waiting > 0; loops++) {
    expect(loops).toBeLessThan(100);
    turns.accept();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(begun).toBe(3);
});
