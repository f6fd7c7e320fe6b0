import type { SettingRecord } from './setting-types.js';
import { GiB, KiB, MiB, minute, second } from './setting-units.js';

/** Resource limits of the engine, and its queues. */
export const engineSettings = {
  engineSessions: {
    type: 'integer',
    default: 4,
    min: 1,
    max: 64,
    doc: 'Concurrent queries; others are queued.',
    reason: 'Each query uses all cores.',
  },
  exportSessions: {
    type: 'integer',
    default: 5,
    min: 2,
    max: 64,
    doc: 'Concurrent exports and backups; others are queued. One slot is reserved for backups.',
    reason:
      'Each uses about 1 MB of engine memory per field while its client reads: 1 GB for five exports of 200 fields.',
  },
  leastReaderPace: {
    type: 'bytes',
    default: 64 * KiB,
    min: 0,
    max: 1 * GiB,
    doc: 'Minimum read rate (bytes/s) of an export while others are queued. A reader that falls 1 MiB behind is disconnected (at the default, after a pause of 16 s). 0 disables it.',
    reason: 'Slow connections work while slots are free, and cannot block other exports.',
  },
  quietExportTimeout: {
    type: 'duration',
    default: 60 * second,
    min: 1 * second,
    max: 60 * minute,
    doc: 'How long an export may produce no row while a token with fewer exports is queued; then it ends.',
    reason: 'The same as the query timeout. An export without matches has no other time limit.',
  },
  engineMemoryBytes: {
    type: 'bytes',
    default: 4 * GiB,
    memoryShare: 0.5,
    min: 256 * MiB,
    max: 1024 * GiB,
    doc: 'Maximum memory of the embedded engine, for all queries together.',
    reason: 'Half of a machine with 8 GiB. On smaller ones a large query fails instead of the server.',
  },
} as const satisfies Readonly<Record<string, SettingRecord>>;
