import type { SettingRecord } from './setting-types.js';
import { GiB, KiB, MiB, minute, second } from './setting-units.js';

/** What the engine may use, and who has to wait for it. */
export const engineSettings = {
  engineSessions: {
    type: 'integer',
    default: 4,
    min: 1,
    max: 64,
    doc: 'Queries that run at once; the others wait.',
    reason: 'Each query uses all cores by itself.',
  },
  exportSessions: {
    type: 'integer',
    default: 5,
    min: 2,
    max: 64,
    doc: 'Exports and backups that are sent at once; the others wait. One of the places is kept for backups.',
    reason:
      "Each takes about a megabyte of the engine's memory for each field, for as long as its reader takes: 1 GB for five exports of datasets with 200 fields.",
  },
  leastReaderPace: {
    type: 'bytes',
    default: 64 * KiB,
    min: 0,
    max: 1 * GiB,
    doc: 'Bytes a second. While an export or a backup waits, one that is read more slowly than this is ended once it is a MiB behind (at the default, after a pause of 16 s). With 0, none is ended.',
    reason:
      'A slow connection gets through while nobody waits, and a few slow readers do not keep everybody else waiting.',
  },
  quietExportTimeout: {
    type: 'duration',
    default: 60 * second,
    min: 1 * second,
    max: 60 * minute,
    doc: 'How long an export may give no row while a token with fewer exports waits; then it is ended.',
    reason:
      'As long as a query may take. An export that finds nothing has no time limit, and could keep the place of others for ever.',
  },
  engineMemoryBytes: {
    type: 'bytes',
    default: 4 * GiB,
    min: 256 * MiB,
    max: 1024 * GiB,
    doc: 'Memory all queries of the embedded engine may use together.',
    reason: 'Half of a machine with 8 GiB.',
  },
} as const satisfies Readonly<Record<string, SettingRecord>>;
