import { expect, it } from 'vitest';
import { isSelective } from './selectivity.js';

const every = (n: number, nanoseconds: bigint) =>
  Array.from({ length: n }, (_, i) => ({ start: BigInt(i) * nanoseconds, end: BigInt(i) * nanoseconds + 99n }));

it.each([
  ['a few, whatever they leave out', 32, 150n, true],
  ['more, which leave out most', 85, 1600n, true],
  ['more, which leave out half', 85, 200n, false],
  ['very many', 257, 100_000n, false],
])('%s', (_, n, apart, worth) =>
  expect(isSelective(every(n, apart), { start: 0n, end: BigInt(n) * apart - 1n })).toBe(worth),
);

it('a larger, unknown number of events', () => expect(isSelective(every(33, 100_000n), undefined)).toBe(false));
