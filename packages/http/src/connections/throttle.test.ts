import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { pace } from './throttle.js';

async function* chunks(count: number, milliseconds = 0): AsyncGenerator<Uint8Array> {
  for (let i = 0; i < count; i++) {
    await pause(milliseconds);
    yield Uint8Array.of(i);
  }
}

async function read(source: AsyncIterable<Uint8Array>, milliseconds: number, stop: AbortSignal): Promise<number[]> {
  const seen: number[] = [];
  for await (const [value] of source) {
    seen.push(value!);
    await pause(milliseconds, undefined, { signal: stop }).catch(() => undefined);
    if (stop.aborted) break;
  }
  return seen;
}

const cases: readonly (readonly [string, { making: number; reading: number; allowed: number }, number[]])[] = [
  ['all for who reads at once', { making: 0, reading: 0, allowed: 1000 }, [0, 1, 2]],
  ['all for who is slow', { making: 0, reading: 20, allowed: 1000 }, [0, 1, 2]],
  ['all that is slow to make', { making: 60, reading: 0, allowed: 30 }, [0, 1, 2]],
  ['no more for who has stopped', { making: 0, reading: 5000, allowed: 30 }, [0]],
];
it.each(cases)('%s', async (_, { making, reading, allowed }, expected) => {
  const stop = new AbortController();
  expect(
    await read(
      pace(chunks(3, making), allowed, () => stop.abort()),
      reading,
      stop.signal,
    ),
  ).toEqual(expected);
});

/** Timers that keep the process alive. */
const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;

it('keeps no process alive while a chunk waits, and does nothing after the end', async () => {
  let stalled = 0;
  const source = pace(chunks(2), 30, () => stalled++);
  await source.next();
  const before = timers();
  const waiting = pace(chunks(2), 60_000, () => stalled++);
  await waiting.next();
  expect(timers()).toBe(before);
  await Promise.all([source.return(undefined), waiting.return(undefined)]);
  await pause(60);
  expect(stalled).toBe(0);
});
