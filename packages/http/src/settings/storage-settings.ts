import type { SettingRecord } from './setting-types.js';
import { GiB, MiB, minute, second } from './setting-units.js';

/** Settings of event storage; a part of `settingsTable`. */
export const storageSettings = {
  idempotencyWindow: {
    type: 'duration',
    default: 24 * 60 * minute,
    min: 1 * minute,
    max: 30 * 24 * 60 * minute,
    doc: 'Retention of idempotency keys.',
    reason: 'Clients retry for minutes; a day covers a queue that was down overnight.',
  },
  idempotencyKeys: {
    type: 'integer',
    default: 1_000_000,
    min: 1000,
    max: 100_000_000,
    doc: 'Maximum stored idempotency keys per dataset; beyond it, the oldest are forgotten, and a late retry is stored again.',
    reason: 'Eleven requests with a key per second for a day; a client that never retries could fill the disk.',
  },
  logSegmentBytes: {
    type: 'bytes',
    default: 64 * MiB,
    min: 1 * MiB,
    max: 1 * GiB,
    doc: 'Size of a write-ahead log file; at most half of `MILLRACE_MAX_LOG_BYTES`.',
    reason: 'Files are deleted once all their events are flushed.',
  },
  diskReserveBytes: {
    type: 'bytes',
    default: 16 * MiB,
    min: 0,
    max: 1024 * GiB,
    doc: 'Free disk space, beyond what pending events need, below which ingest is rejected. On a ClickHouse server below it, no tables and columns are created.',
    reason:
      'Deleting old events needs some free space. A ClickHouse server that creates a table on a full disk does not restart.',
  },
  maxLogBytes: {
    type: 'bytes',
    default: 4 * GiB,
    min: 512 * MiB,
    max: 1024 * GiB,
    doc: 'Maximum size of the write-ahead log. At the limit, ingest returns 429. At least twice `MILLRACE_LOG_SEGMENT_BYTES`.',
    reason:
      'Buffers hours of events at common rates while the engine is down, and fits a small disk. At least two of the largest batch.',
  },
  maxPendingBytes: {
    type: 'bytes',
    default: 512 * MiB,
    memoryShare: 0.12,
    min: 16 * MiB,
    max: 16 * GiB,
    doc: 'Ingest memory limit (request bodies and unflushed events). Above it, ingest returns 429, before or while it reads a body. A token may use up to three times the free part: one token three quarters, two tokens three sevenths each.',
    reason:
      'Pending events are buffered in memory, and each client leaves room for others. A body of any size is accepted when nothing is pending.',
  },
  mergeAfter: {
    type: 'duration',
    default: 10 * second,
    min: 1 * second,
    max: 24 * 60 * minute,
    doc: "Idle time before a partition's parts are merged.",
    reason:
      'Merges take CPU from ingest, so they wait for a pause; afterwards queries are faster, because they read fewer parts.',
  },
  maxMergeBytes: {
    type: 'bytes',
    default: 4 * GiB,
    min: 0,
    max: 1024 * GiB,
    doc: 'Maximum size of such a merge on disk. Larger partitions are left to the engine, which merges parts of similar size; 0 disables these merges.',
    reason: 'Takes about a minute of one core. A query of one part takes up to a tenth less time than one of many.',
  },
  wordIndexRows: {
    type: 'integer',
    default: 32_768,
    min: 0,
    max: 1_000_000_000,
    doc: 'Maximum recent events per dataset not yet in the term index, which speeds up searches for rare terms; 0 disables it. Not available with a ClickHouse server.',
    reason:
      'Scanning this many is fast. The index takes up to a tenth of the size of the events, and 1 s of one core per million events once ingest pauses.',
  },
  wordMemoryBytes: {
    type: 'bytes',
    default: 64 * MiB,
    min: 0,
    max: 16 * GiB,
    doc: 'Memory for the term index, across datasets; the engine serves the rest. 0 disables it.',
    reason:
      'Six bytes per term and time span: enough for three million log events. Lookups take microseconds in memory, and as long as a small query in the engine.',
  },
  retentionInterval: {
    type: 'duration',
    default: 10 * minute,
    min: 1 * second,
    max: 24 * 60 * minute,
    doc: 'How often expired events are deleted.',
    reason: 'Retention counts in days; this is precise enough and costs nothing.',
  },
} as const satisfies Record<string, SettingRecord>;
