import type { SettingRecord } from './setting-types.js';
import { GiB, MiB, minute, second } from './setting-units.js';

/** Settings of how events are kept; a part of `settingsTable`. */
export const storageSettings = {
  idempotencyWindow: {
    type: 'duration',
    default: 24 * 60 * minute,
    min: 1 * minute,
    max: 30 * 24 * 60 * minute,
    doc: 'How long an idempotency key is remembered.',
    reason: 'Clients retry for minutes; a day covers a queue that was down over night.',
  },
  logSegmentBytes: {
    type: 'bytes',
    default: 64 * MiB,
    min: 1 * MiB,
    max: 1 * GiB,
    doc: 'Size of one file of the write-ahead log; at most half of `MILLRACE_MAX_LOG_BYTES`.',
    reason: 'Whole files are deleted once their events are stored.',
  },
  diskReserveBytes: {
    type: 'bytes',
    default: 16 * MiB,
    min: 0,
    max: 1024 * GiB,
    doc: 'Room that is left on the disk of the log: with less, no events are taken, until there is more again. With less on that of a ClickHouse server no table is made and gets no new columns.',
    reason:
      'The log would take the last byte, and then nothing could make room: to drop old events, engine and metadata have to write a little, too. A ClickHouse server that defines a table on a full disk does not start again.',
  },
  maxLogBytes: {
    type: 'bytes',
    default: 4 * GiB,
    min: 512 * MiB,
    max: 1024 * GiB,
    doc: 'Largest write-ahead log; beyond it ingest answers 429. At least twice `MILLRACE_LOG_SEGMENT_BYTES`.',
    reason:
      'Holds hours of events at common rates when the engine is down, and fits a small disk. At least two of the largest batch.',
  },
  maxPendingBytes: {
    type: 'bytes',
    default: 512 * MiB,
    min: 16 * MiB,
    max: 16 * GiB,
    doc: 'Memory for events that wait for the engine and for bodies that are arriving. Beyond it ingest answers 429, before it reads a body or while a large one arrives. No token has more than three times what is still free: one alone three quarters, two of them three sevenths each.',
    reason:
      'Waiting events are held in memory, and those of one sender leave room for those of others. A body of any size gets through when nothing else waits.',
  },
  mergeAfter: {
    type: 'duration',
    default: 10 * second,
    min: 1 * second,
    max: 24 * 60 * minute,
    doc: 'How long no event must arrive for a day, month or year of a dataset before the parts of that partition are merged into one.',
    reason:
      'Merging takes processor time from ingest, so it waits for a pause; afterwards queries are faster, because they read fewer parts.',
  },
  maxMergeBytes: {
    type: 'bytes',
    default: 4 * GiB,
    min: 0,
    max: 1024 * GiB,
    doc: 'Largest merge of this kind, in bytes on disk. Larger partitions are left to the engine, which merges many parts of about the same size; 0 leaves all to it.',
    reason:
      'Such a merge takes about a minute of one core. A query of one part takes up to a tenth less than a query of many.',
  },
  wordIndexRows: {
    type: 'integer',
    default: 32_768,
    min: 0,
    max: 1_000_000_000,
    doc: 'How many of the last events of a dataset may be missing from its index of words, which makes searches for something rare fast; 0 keeps no index. There is none with a ClickHouse server elsewhere.',
    reason:
      'So many are searched in little time without it. The index takes up to a tenth of the bytes of the events, and a second of one core for a million of them, once no more come in.',
  },
  wordMemoryBytes: {
    type: 'bytes',
    default: 64 * MiB,
    min: 0,
    max: 16 * GiB,
    doc: 'How much of the index of words may be in memory, of all datasets together; what does not fit is asked of the engine. 0 keeps none there.',
    reason:
      'Six bytes for a word and a span of time: enough for three million log events. From memory a word is found in microseconds; the engine takes as long for that as for a small question, and no longer for many events than for few.',
  },
  retentionInterval: {
    type: 'duration',
    default: 10 * minute,
    min: 1 * second,
    max: 24 * 60 * minute,
    doc: 'How often events past the retention of their dataset are removed.',
    reason: 'Retention counts in days; this is close enough and costs nothing.',
  },
} as const satisfies Record<string, SettingRecord>;
