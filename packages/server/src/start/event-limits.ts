import { DEFAULT_BUDGET, DEFAULT_LIMITS } from '@millrace/events';
import type { BodyLimits } from '../ingest/encode-body.js';
import { logKeepMilliseconds, type StorageLimits } from '../storage/storage-limits.js';
import type { StorageOptions } from '../storage/storage-options.js';
import type { Base } from './parts.js';

/** The limits of what takes events, out of the settings. */

export function storageLimits({ settings }: Base): StorageLimits {
  return {
    flushBytes: 8 * 2 ** 20,
    flushMilliseconds: 1000,
    insertBytes: 64 * 2 ** 20,
    retryMilliseconds: 1000,
    maxPendingBytes: settings.maxPendingBytes,
    columns: {
      ...DEFAULT_BUDGET,
      softColumns: Math.ceil(settings.columnBudget / 8),
      hardColumns: settings.columnBudget,
    },
    idempotencyWindow: settings.idempotencyWindow,
    logKeepMilliseconds,
    logKeepBytes: settings.maxLogBytes / 4,
    diskReserveBytes: settings.diskReserveBytes,
    mergeAfter: settings.mergeAfter,
    maxMergeBytes: settings.maxMergeBytes,
    // A server elsewhere may be too old for it.
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
/** Longer than any partition waits for the merge of what came late. */
const coldRestSeconds = 2 * 3600;
const bucketMilliseconds = 5000;

export function coldLimits({ settings: { coldUrl, coldAfter, coldInClickhouse } }: Base): Pick<StorageOptions, 'cold'> {
  const limits = { after: coldAfter, every: coldEvery, rest: coldRestSeconds };
  // A server elsewhere knows best whether its disks answer; a move that fails is tried again.
  if (coldInClickhouse) return { cold: { ...limits, answers: async () => true } };
  if (coldUrl === undefined) return {};
  // Whatever it answers, it is there; who may read it the engine finds out.
  const answers = (): Promise<boolean> =>
    fetch(coldUrl, { method: 'HEAD', signal: AbortSignal.timeout(bucketMilliseconds) }).then(
      ({ status }) => status < 500,
      () => false,
    );
  return { cold: { ...limits, answers } };
}
