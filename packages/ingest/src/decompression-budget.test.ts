import { expect, it } from 'vitest';
import { DecompressionBudget, type Place } from './decompression-budget.js';

/** Indexes of the reservations that were granted so far. */
async function takenOf(places: readonly Place[]): Promise<readonly number[]> {
  const taken: number[] = [];
  places.forEach(({ taken: entered }, i) => void entered.then(() => taken.push(i)));
  await new Promise((resolve) => setImmediate(resolve));
  return taken;
}

it('bodies that do not fit beside others wait, in their order, and one alone always fits', async () => {
  const room = new DecompressionBudget(100);
  const places = [500, 1, 60, 50, 40].map((bytes) => room.take(bytes));
  expect(await takenOf(places)).toEqual([0]);
  places[0]!.leave();
  expect(await takenOf(places)).toEqual([0, 1, 2]);
  // The last would fit, but the queue is first in, first out.
  expect(room.bytes).toBe(61);
  places[2]!.leave();
  expect(await takenOf(places)).toEqual([0, 1, 2, 3, 4]);
});

it('who gives up waiting holds up nobody, and leaving twice gives nothing back', async () => {
  const room = new DecompressionBudget(100);
  const places = [80, 90, 20].map((bytes) => room.take(bytes));
  expect(await takenOf(places)).toEqual([0]);
  places[1]!.leave();
  expect(await takenOf(places)).toEqual([0, 2]);
  places[0]!.leave();
  places[0]!.leave();
  expect(room.bytes).toBe(20);
});

it('who turns out to need less gives the rest back, and who needs more does not get it', async () => {
  const room = new DecompressionBudget(100);
  const places = [80, 60].map((bytes) => room.take(bytes));
  expect([places[0]!.shrink(90), room.bytes]).toEqual([false, 80]);
  expect(await takenOf(places)).toEqual([0]);
  expect([places[0]!.shrink(40), room.bytes]).toEqual([true, 100]);
  expect(await takenOf(places)).toEqual([0, 1]);
});

it('tokens take turns: who has least inside is next', async () => {
  const room = new DecompressionBudget(100);
  const places = [50, 50, 60, 60].map((bytes) => room.take(bytes, 'greedy'));
  places.push(room.take(40, 'modest'));
  expect(await takenOf(places)).toEqual([0, 1]);
  places[0]!.leave();
  expect(await takenOf(places)).toEqual([0, 1, 4]);
});
