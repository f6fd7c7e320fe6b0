import { DEFAULT_BUDGET } from '@millrace/events';
import type { StorageLimits } from '../storage-limits.js';

/** For tests: with these limits a storage does nothing on its own. */
export const manualLimits: StorageLimits = {
  flushBytes: 1 << 30,
  flushMilliseconds: 60_000,
  trickle: { bytes: 0, batches: 0, milliseconds: 0 },
  insertBytes: 1 << 20,
  retryMilliseconds: 20,
  maxPendingBytes: 1 << 26,
  columns: DEFAULT_BUDGET,
  idempotencyWindow: 60_000,
  idempotencyKeys: 1000,
  logKeepMilliseconds: 60_000,
  logKeepBytes: 1 << 30,
  diskReserveBytes: 1 << 24,
  mergeAfter: 60_000,
  wordIndexRows: 0,
  wordMemoryBytes: 0,
  maxMergeBytes: 1 << 30,
};
