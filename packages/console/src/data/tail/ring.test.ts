import { describe, expect, it } from 'vitest';
import { createRing } from './ring.js';

describe('the ring buffer of a tail', () => {
  it('keeps the newest, by number and by size, and counts evicted ones', () => {
    const ring = createRing({ events: 4, letters: 20 });
    for (let at = 0; at < 10; at++) ring.push(`e${at}`);
    expect([ring.first(), ring.next()]).toEqual([6, 10]);
    expect(ring.slice(0, 100)).toEqual(['e6', 'e7', 'e8', 'e9']);
    expect(ring.slice(7, 9)).toEqual(['e7', 'e8']);
    ring.push('x'.repeat(17));
    expect(ring.slice(0, 100)).toEqual(['e9', 'x'.repeat(17)]);
    ring.push('y'.repeat(100));
    expect(ring.slice(0, 100)).toEqual(['y'.repeat(100)]);
    expect([ring.first(), ring.next()]).toEqual([11, 12]);
    ring.clear();
    expect([ring.first(), ring.next(), ...ring.slice(0, 9)]).toEqual([0, 0]);
  });
});
