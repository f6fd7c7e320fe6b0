import { canReadColdParts } from '@millrace/storage/cold/cold-partitions';
import { DEFAULT_BUDGET, DEFAULT_LIMITS } from '@millrace/events';
import type { BodyLimits } from '@millrace/ingest/encode-body';
import { logKeepMilliseconds, type StorageLimits } from '@millrace/storage/storage-limits';
import type { StorageOptions } from '@millrace/storage/storage-options';
import type { Base } from './types.js';

/** Limits of the event storage, derived from the settings. */

export function storageLimits({ settings }: Base): StorageLimits {
  return {
    flushBytes: 8 * 2 ** 20,
    flushMilliseconds: 1000,
    // A query inserts what waits before it reads: as much as this takes 20 ms.
    trickle: { bytes: 256 * 1024, batches: 100, milliseconds: 60_000 },
    insertBytes: 64 * 2 ** 20,
    retryMilliseconds: 1000,
    maxPendingBytes: settings.maxPendingBytes,
    columns: {
      ...DEFAULT_BUDGET,
      softColumns: Math.ceil(settings.columnBudget / 8),
      hardColumns: settings.columnBudget,
    },
    idempotencyWindow: settings.idempotencyWindow,
    idempotencyKeys: settings.idempotencyKeys,
    logKeepMilliseconds,
    logKeepBytes: settings.maxLogBytes / 4,
    diskReserveBytes: settings.diskReserveBytes,
    mergeAfter: settings.mergeAfter,
    maxMergeBytes: settings.maxMergeBytes,
    // A remote server may be too old for it.
    wordIndexRows: settings.clickhouseUrl === undefined ? settings.wordIndexRows : 0,
    wordMemoryBytes: settings.wordMemoryBytes,
  };
}

export function encodeLimits({ settings }: Base): BodyLimits {
  const { maxValueBytes, maxNameBytes, maxJsonDepth, maxFailuresReported, maxRequestFields } = settings;
  const { maxDatasetFields, maxDecompressedBytes } = settings;
  return {
    ...DEFAULT_LIMITS,
    maxValueBytes,
    maxNameBytes,
    maxJsonDepth,
    maxFailuresReported,
    maxRequestFields,
    maxDatasetFields,
    maxDecompressedBytes,
  };
}

const coldEvery = 10 * 60_000;
/** Longer than any partition waits for the merge of late events. */
const coldRestSeconds = 2 * 3600;
const bucketMilliseconds = 5000;

export function coldLimits({ settings: { coldUrl, coldAfter, coldInClickhouse } }: Base): Pick<StorageOptions, 'cold'> {
  const limits = { after: coldAfter, every: coldEvery, rest: coldRestSeconds };
  if (coldInClickhouse) return { cold: { ...limits, isResponding: canReadColdParts } };
  if (coldUrl === undefined) return {};
  // Any response means that it is reachable; the engine checks the credentials.
  const isResponding = (): Promise<boolean> =>
    fetch(coldUrl, { method: 'HEAD', signal: AbortSignal.timeout(bucketMilliseconds) }).then(
      ({ status }) => status < 500,
      () => false,
    );
  return { cold: { ...limits, isResponding } };
}
