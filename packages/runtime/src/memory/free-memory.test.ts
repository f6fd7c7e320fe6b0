import { expect, it } from 'vitest';
import { freeMemory } from './free-memory.js';

const heldBytes = (): number => process.memoryUsage().arrayBuffers;

it('frees at once, not when garbage is collected', () => {
  const before = heldBytes();
  const bytes = Buffer.allocUnsafeSlow(100 << 20);
  expect(heldBytes()).toBeGreaterThan(before + (99 << 20));
  freeMemory(bytes.buffer);
  expect(heldBytes()).toBeLessThan(before + (1 << 20));
  expect(bytes.length).toBe(0);
});

it('leaves what others may stand in', () => {
  const pooled = Buffer.from('a text');
  freeMemory(pooled.buffer);
  expect(pooled.toString()).toBe('a text');
});
