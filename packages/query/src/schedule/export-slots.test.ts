import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ExportSlots } from './export-slots.js';

const neverSignal = new AbortController().signal;
const MiB = 2 ** 20;

/** Pieces of a MiB until the signal aborts; then the stream fails as the engine's does. */
async function* endless(signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for (;;) {
    if (signal.aborted) throw new Error('cancelled');
    yield new Uint8Array(MiB);
  }
}

/** A stream whose pieces the test takes one by one. */
const reader = (places: ExportSlots, who: string, read = endless, signal = neverSignal) =>
  places.stream(who, signal, read)[Symbol.asyncIterator]();

/** As when the process or its machine is paused: nothing runs, and the clock continues. */
function standStill(milliseconds: number): void {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
}

describe('places', () => {
  it('a slow reader loses its slot to a waiting query and gets an error', async () => {
    const places = new ExportSlots({ atOnce: 2, leastReaderPace: 100 * MiB });
    const [slow, fast] = [reader(places, 'slow'), reader(places, 'fast')];
    const signals: AbortSignal[] = [];
    await Promise.all([slow.next(), fast.next()]);
    const waiting = reader(places, 'other', (signal) => (signals.push(signal), endless(signal)));
    const first = waiting.next();
    let got = false;
    void first.then(() => (got = true));
    while (!got) {
      await fast.next();
      await pause(1);
    }
    expect(await first).toMatchObject({ done: false });
    await expect(slow.next()).rejects.toMatchObject({ code: 'reader-too-slow' });
    expect(await fast.next()).toMatchObject({ done: false });
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
    await Promise.all([fast.return(undefined), waiting.return(undefined)]);
  });

  it('the slowest goes first, and one for each that waits', async () => {
    const places = new ExportSlots({ atOnce: 2, leastReaderPace: 10 * MiB });
    const slowest = reader(places, 'slowest');
    await slowest.next();
    await pause(300);
    const slow = reader(places, 'slow');
    await slow.next();
    const waiting = reader(places, 'other');
    await waiting.next();
    await expect(slowest.next()).rejects.toMatchObject({ code: 'reader-too-slow' });
    expect(await slow.next()).toMatchObject({ done: false });
    await Promise.all([slow.return(undefined), waiting.return(undefined)]);
  });

  it('a query that waits for the engine, or is slow without waiters, is not canceled', async () => {
    const places = new ExportSlots({ atOnce: 1, leastReaderPace: 100 * MiB });
    const idle = reader(places, 'idle');
    await idle.next();
    await pause(1500);
    expect(await idle.next()).toMatchObject({ done: false });
    await idle.return(undefined);

    let make = (): void => {};
    const late = reader(places, 'late', async function* () {
      await new Promise<void>((resolve) => (make = resolve));
      yield new Uint8Array(1);
    });
    const piece = late.next();
    const waiting = reader(places, 'other').next();
    await pause(2500);
    make();
    expect(await piece).toMatchObject({ done: false });
    expect(await late.next()).toMatchObject({ done: true });
    expect(await waiting).toMatchObject({ done: false });
  });

  it('time while the process was suspended cancels no query', async () => {
    const places = new ExportSlots({ atOnce: 1, leastReaderPace: MiB / 2 });
    const fast = reader(places, 'fast');
    await fast.next();
    const waiting = reader(places, 'other').next();
    await pause(1100);
    standStill(4000);
    // After the pause the order does not matter: the reader takes its chunk, or a waiting export
    // looks for slow readers.
    await pause(0);
    expect(await fast.next()).toMatchObject({ done: false });
    await pause(1100);
    expect(await fast.next()).toMatchObject({ done: false });
    await fast.return(undefined);
    expect(await waiting).toMatchObject({ done: false });
  });

  it('slowness without waiting queries does not count', async () => {
    const places = new ExportSlots({ atOnce: 1, leastReaderPace: 10 * MiB });
    const changed = reader(places, 'changed');
    await changed.next();
    await pause(3000);
    const waiting = reader(places, 'other').next();
    let got = false;
    void waiting.then(() => (got = true));
    const began = performance.now();
    while (performance.now() - began < 2500) {
      expect(await changed.next()).toMatchObject({ done: false });
      await pause(30);
    }
    expect(got).toBe(false);
    await changed.return(undefined);
    expect(await waiting).toMatchObject({ done: false });
  });

  it('a pace of zero cancels no query', async () => {
    const places = new ExportSlots({ atOnce: 1, leastReaderPace: 0 });
    const slow = reader(places, 'slow');
    await slow.next();
    const leaving = new AbortController();
    const waiting = reader(places, 'other', endless, leaving.signal).next();
    await pause(2500);
    expect(await slow.next()).toMatchObject({ done: false });
    leaving.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'query-cancelled' });
    await slow.return(undefined);
    expect(await reader(places, 'other').next()).toMatchObject({ done: false });
  });

  it('are given back when the stream fails or is aborted', async () => {
    const places = new ExportSlots({ atOnce: 1, leastReaderPace: 0 });
    const failing = reader(places, 'a', () => {
      throw new Error('no');
    });
    await expect(failing.next()).rejects.toThrow('no');
    const outer = new AbortController();
    const aborted = reader(places, 'a', endless, outer.signal);
    await aborted.next();
    outer.abort();
    await expect(aborted.next()).rejects.toThrow('cancelled');
    expect(await reader(places, 'a').next()).toMatchObject({ done: false });
  });

  it('a stream that gives nothing loses its place to a party that has fewer, and no other does', async () => {
    const places = new ExportSlots({ atOnce: 2, leastReaderPace: 0, quietExportTimeout: 1000 });
    const silent = async function* (signal: AbortSignal): AsyncGenerator<Uint8Array> {
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('cancelled'))));
      yield new Uint8Array(1);
    };
    const quiet = [reader(places, 'a', silent).next(), reader(places, 'a', silent).next()];
    const outcomes = Promise.allSettled(quiet);
    const other = await reader(places, 'b').next();
    expect(other).toMatchObject({ done: false });
    // Now each has one, and neither gives it up for the other.
    const leaving = new AbortController();
    const second = reader(places, 'b', endless, leaving.signal).next();
    await pause(2500);
    leaving.abort();
    await expect(second).rejects.toMatchObject({ code: 'query-cancelled' });
    const lost = await Promise.race([outcomes, Promise.race(quiet.map((one) => one.catch((error: unknown) => error)))]);
    expect(lost).toMatchObject({ code: 'no-row-in-time' });
  });

  it('are free after the request ends, even if the next chunk is never read', async () => {
    const places = new ExportSlots({ atOnce: 1, leastReaderPace: 0 });
    const outer = new AbortController();
    await reader(places, 'a', endless, outer.signal).next();
    outer.abort();
    expect(await reader(places, 'b').next()).toMatchObject({ done: false });
  });
});
