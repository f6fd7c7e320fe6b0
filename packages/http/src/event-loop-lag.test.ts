import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { EventLoopLag } from './event-loop-lag.js';

const openedLags: EventLoopLag[] = [];
afterEach(() => openedLags.splice(0).forEach((lag) => lag.close()));

function startLag(slotMilliseconds?: number): EventLoopLag {
  const lag = new EventLoopLag(slotMilliseconds);
  openedLags.push(lag);
  expect(lag.read()).toBe(0);
  return lag;
}

async function block(milliseconds: number): Promise<void> {
  await sleep(250);
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
  await sleep(1);
}

it('is close to zero while the loop is free', async () => {
  // Other work on the machine may delay some of the checks, but not all.
  const lags: number[] = [];
  const lag = startLag(80);
  for (let i = 0; i < 20 && !lags.some((each) => each < 0.01); i++) {
    await sleep(350);
    lags.push(lag.read());
  }
  expect(Math.min(...lags)).toBeLessThan(0.01);
});

it('is how long the loop was blocked, for each reader, until the time it covers is over', async () => {
  const [lag, short] = [startLag(), startLag(50)];
  await block(600);
  expect(lag.read()).toBeGreaterThan(0.4);
  expect(lag.read()).toBeGreaterThan(0.4);
  await expect.poll(() => short.read()).toBeLessThan(0.4);
});
