import { LogError } from './errors.js';

const KiB = 1024;
const MiB = 1024 * KiB;
const GiB = 1024 * MiB;

/** Every limit of the log, in bytes. */
export interface LogLimits {
  readonly logSegmentBytes: number;
  readonly maxFrameBytes: number;
  readonly maxGroupBytes: number;
  readonly maxPendingBytes: number;
  readonly maxLogBytes: number;
}

interface Limit {
  readonly default: number;
  readonly min: number;
  readonly max: number;
  readonly reason: string;
}

/**
 * Default and range of each limit, with the reason; documentation and validation derive from this
 * table.
 */
export const logLimits: { readonly [name in keyof LogLimits]: Limit } = {
  logSegmentBytes: {
    default: 64 * MiB,
    min: 4 * KiB,
    max: GiB,
    reason: 'disk space is given back a segment at a time, and a new segment costs three syncs (about 1 ms)',
  },
  maxFrameBytes: {
    default: 256 * MiB,
    min: KiB,
    max: GiB,
    reason: 'a reader holds one whole payload in memory; offsets in a segment are 32-bit',
  },
  maxGroupBytes: {
    default: 8 * MiB,
    min: KiB,
    max: GiB,
    reason: 'bounds how long an append waits for the group before its own; one larger frame forms its own group',
  },
  maxPendingBytes: {
    default: 512 * MiB,
    min: KiB,
    max: 16 * GiB,
    reason: 'payloads waiting for a slow disk are held in memory',
  },
  maxLogBytes: {
    default: 16 * GiB,
    min: 8 * KiB,
    max: Number.MAX_SAFE_INTEGER,
    reason: 'a reader of the log that falls behind must not fill the disk',
  },
};

/**
 * Fills in the defaults.
 * @throws LogError `invalid-setting` naming the limit, its range and the actual value
 */
export function resolveLimits(given: Partial<LogLimits> = {}): LogLimits {
  const value = (name: keyof LogLimits): number => {
    const limit = logLimits[name];
    const bytes = given[name] ?? limit.default;
    if (Number.isSafeInteger(bytes) && bytes >= limit.min && bytes <= limit.max) return bytes;
    throw new LogError(
      'invalid-setting',
      `${name} is ${bytes}; give a whole number of bytes from ${limit.min} to ${limit.max}`,
    );
  };
  const limits = {
    logSegmentBytes: value('logSegmentBytes'),
    maxFrameBytes: value('maxFrameBytes'),
    maxGroupBytes: value('maxGroupBytes'),
    maxPendingBytes: value('maxPendingBytes'),
    maxLogBytes: value('maxLogBytes'),
  };
  // The newest segment is never deleted: in addition to the longest one, the next one must fit.
  const min = 2 * Math.max(limits.logSegmentBytes, limits.maxFrameBytes);
  if (limits.maxLogBytes >= min) return limits;
  throw new LogError(
    'invalid-setting',
    `maxLogBytes is ${limits.maxLogBytes}; give at least ${min}, twice the larger of logSegmentBytes and maxFrameBytes`,
  );
}
