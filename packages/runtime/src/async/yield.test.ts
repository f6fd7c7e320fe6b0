import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Yielder } from './yield.js';

/** Is busy for some milliseconds. */
function work(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

it('of several long tasks, one continues in each turn of the event loop, in order', async () => {
  let turns = 0;
  let over = false;
  const counting = (async () => {
    for (; !over; turns++) await turn();
  })();
  const steps: [who: string, at: number][] = [];
  await Promise.all(
    [...'abc'].map(async (who) => {
      const yielder = new Yielder();
      for (let i = 0; i < 4; i++) {
        work(12);
        steps.push([who, turns]);
        await yielder.maybeYield();
      }
    }),
  );
  over = true;
  await counting;
  // All three begin in the same tick; after that no two share one.
  const later = steps.slice(3);
  expect(later.map(([who]) => who).join('')).toBe('abcabcabc');
  expect(new Set(later.map(([, at]) => at)).size).toBe(later.length);
});

it('short work does not wait', async () => {
  let turned = false;
  void turn().then(() => (turned = true));
  const yielder = new Yielder();
  for (let i = 0; i < 100; i++) await yielder.maybeYield();
  expect(turned).toBe(false);
});

it('many short tasks that waited share a turn', async () => {
  let turns = 0;
  let over = false;
  const counting = (async () => {
    for (; !over; turns++) await turn();
  })();
  const short = async (): Promise<void> => {
    const yielder = new Yielder();
    await yielder.maybeYield();
    work(0.1);
  };
  // It uses the time of this turn, so the others wait.
  const long = (async () => {
    const yielder = new Yielder();
    work(12);
    await yielder.maybeYield();
  })();
  await Promise.all([long, ...Array.from({ length: 500 }, short)]);
  over = true;
  await counting;
  // 50 ms in turns of 10 ms; more on a machine that stops in between.
  expect(turns).toBeLessThan(100);
});
