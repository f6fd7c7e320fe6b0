import { expect, it } from 'vitest';
import { DecompressionBudget, type Reservation } from './decompression-budget.js';

/** Indexes of the reservations that were granted so far. */
async function grantedOf(reservations: readonly Reservation[]): Promise<readonly number[]> {
  const indexes: number[] = [];
  reservations.forEach(({ granted }, index) => void granted.then(() => indexes.push(index)));
  await new Promise((resolve) => setImmediate(resolve));
  return indexes;
}

it('grants in order of requests; a single body always fits', async () => {
  const budget = new DecompressionBudget(100);
  const reservations = [500, 1, 60, 50, 40].map((bytes) => budget.take(bytes));
  expect(await grantedOf(reservations)).toEqual([0]);
  reservations[0]!.release();
  expect(await grantedOf(reservations)).toEqual([0, 1, 2]);
  // The last would fit, but the queue is first in, first out.
  expect(budget.bytes).toBe(61);
  reservations[2]!.release();
  expect(await grantedOf(reservations)).toEqual([0, 1, 2, 3, 4]);
});

it('a canceled request blocks no other; a second release has no effect', async () => {
  const budget = new DecompressionBudget(100);
  const reservations = [80, 90, 20].map((bytes) => budget.take(bytes));
  expect(await grantedOf(reservations)).toEqual([0]);
  reservations[1]!.release();
  expect(await grantedOf(reservations)).toEqual([0, 2]);
  reservations[0]!.release();
  reservations[0]!.release();
  expect(budget.bytes).toBe(20);
});

it('a reservation can shrink but not grow', async () => {
  const budget = new DecompressionBudget(100);
  const reservations = [80, 60].map((bytes) => budget.take(bytes));
  expect([reservations[0]!.shrink(90), budget.bytes]).toEqual([false, 80]);
  expect(await grantedOf(reservations)).toEqual([0]);
  expect([reservations[0]!.shrink(40), budget.bytes]).toEqual([true, 100]);
  expect(await grantedOf(reservations)).toEqual([0, 1]);
});

it('the token with the smallest granted reservations is next', async () => {
  const budget = new DecompressionBudget(100);
  const reservations = [50, 50, 60, 60].map((bytes) => budget.take(bytes, 'greedy'));
  reservations.push(budget.take(40, 'modest'));
  expect(await grantedOf(reservations)).toEqual([0, 1]);
  reservations[0]!.release();
  expect(await grantedOf(reservations)).toEqual([0, 1, 4]);
});
