import { randomFillSync } from 'node:crypto';

/**
 * Asking the system for randomness costs far more than copying it, so it is asked for many ids at
 * once.
 */
const pool = Buffer.alloc(16 * 256);
let at = pool.length;

/** 32 hex digits that no other request has. */
export function newTraceId(): string {
  if (at === pool.length) {
    randomFillSync(pool);
    at = 0;
  }
  at += 16;
  return pool.toString('hex', at - 16, at);
}
