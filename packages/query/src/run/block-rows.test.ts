import { expect, it } from 'vitest';
import { blockSettings } from './block-rows.js';

const wide = (calls: number): string => `SELECT ${Array.from({ length: calls }, (_, i) => `max(f${i})`).join(', ')}`;

it.each([
  ['a short statement keeps the block size of the engine', 10, {}],
  ['a wide one gets smaller blocks', 3999, { max_block_size: 10_000 }],
  ['the widest one still gets some rows at a time', 1_000_000, { max_block_size: 256 }],
])('%s', (_, calls, expected) => expect(blockSettings(wide(calls), 40_000_000)).toEqual(expected));
