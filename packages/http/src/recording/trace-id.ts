import { randomFillSync } from 'node:crypto';

/** Random bytes for many IDs: a system call for each would cost far more than copying. */
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
