import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { Metrics } from './metrics.js';

const opened: Metrics[] = [];
afterEach(() => opened.splice(0).forEach((metrics) => metrics.close()));

function started(): Metrics {
  const metrics = new Metrics();
  opened.push(metrics);
  return metrics;
}

const lagOf = (metrics: Metrics): number =>
  Number(/^millrace_event_loop_lag_seconds (\S+)$/m.exec(metrics.print())?.[1]);

describe('the lag of the event loop', () => {
  it('is close to zero while the loop is free', async () => {
    const metrics = started();
    // Other work on the machine may delay some of the checks, but not all.
    const lags: number[] = [];
    for (let i = 0; i < 20 && !lags.some((lag) => lag < 0.01); i++) {
      await sleep(350);
      lags.push(lagOf(metrics));
    }
    expect(Math.min(...lags)).toBeLessThan(0.01);
  });

  it('is how long the loop was blocked, and is reset by a scrape', async () => {
    const metrics = started();
    // The checks begin with the first scrape.
    expect(lagOf(metrics)).toBe(0);
    await sleep(250);
    const until = performance.now() + 600;
    while (performance.now() < until);
    await sleep(1);
    expect(lagOf(metrics)).toBeGreaterThan(0.4);
    expect(lagOf(metrics)).toBe(0);
  });
});
