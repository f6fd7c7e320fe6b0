import { randomUUID } from 'node:crypto';
import type { Engine } from '@millrace/engine';
import { DEFAULT_LIMITS, encodeJson } from '@millrace/events';
import { type Log, type LogLimits, openLog } from '@millrace/log';
import { MemoryFileSystem, seededRandom } from '@millrace/log/testing';
import { pino } from 'pino';
import type { Database } from '@millrace/metadata/database';
import type { Metadata } from '@millrace/metadata/metadata';
import { openTestMetadata } from '@millrace/metadata/testing/metadata-stores';
import { Storage } from '../storage.js';
import type { StorageLimits } from '../storage-limits.js';
import { manualLimits } from './manual-limits.js';
import { FakeEngine } from './fake-engine.js';

/**
 * A storage over a fake engine, a log in memory and metadata in memory: these three outlast the
 * servers, the log up to what a crash leaves.
 */
export interface FakeStorageHarness {
  readonly fake: FakeEngine;
  readonly log: Log;
  readonly metadata: Metadata;
  readonly files: MemoryFileSystem;
  /** Free space on the log's disk. */
  free: number;
  /** The errors that servers logged. */
  readonly errors: string[];
  /** Starts a server; kills the running one. */
  open(
    datasets: readonly number[],
    limits?: Partial<StorageLimits>,
    engine?: Engine,
    database?: Database,
  ): Promise<Storage>;
  /**
   * Reopens the log as a killed process, or a power failure, leaves it. The running server has only
   * the log before that.
   */
  crash(how: 'kill' | 'power', seed: number): Promise<void>;
  close(): Promise<void>;
}

export async function fakeWorld(logLimits: Partial<LogLimits> = {}): Promise<FakeStorageHarness> {
  const fake = new FakeEngine();
  const metadata = await openTestMetadata();
  const directory = `/${randomUUID()}`;
  let files = new MemoryFileSystem();
  const openTestLog = (): Promise<Log> => openLog({ directory, fileSystem: files, limits: logLimits });
  let log = await openTestLog();
  const world: FakeStorageHarness = {
    fake,
    metadata,
    free: Infinity,
    errors: [],
    get log() {
      return log;
    },
    get files() {
      return files;
    },
    crash: async (how, seed) => {
      files = how === 'kill' ? files.afterKill() : files.afterPowerCut(seededRandom(seed));
      log = await openTestLog();
    },
    open: async (datasets, limits = {}, engine = fake.open(), database = metadata.database) => {
      const { storage } = await Storage.open({
        engine,
        log,
        database,
        logger: pino(
          { level: 'error' },
          { write: (line) => void world.errors.push((JSON.parse(line) as { readonly msg: string }).msg) },
        ),
        limits: { ...manualLimits, ...limits },
        freeBytes: () => Promise.resolve(world.free),
        datasets,
      });
      return storage;
    },
    close: async () => {
      await log.close();
      await metadata.close();
    },
  };
  return world;
}

/** Runs a test in a separate harness. */
export async function withHarness(
  test: (world: FakeStorageHarness) => Promise<void>,
  logLimits: Partial<LogLimits> = {},
): Promise<void> {
  const world = await fakeWorld(logLimits);
  try {
    await test(world);
  } finally {
    await world.close();
  }
}

/**
 * Appends events whose times are the given days of January 2026 and which arrive on the 4th,
 * perhaps with a text; resolved means acknowledged.
 */
export function append(
  storage: Storage,
  id: number,
  days: readonly number[],
  key?: string,
  text?: string,
  party?: string,
) {
  const dataset = storage.dataset(id)!;
  const events = days.map((day) => ({ _time: `2026-01-${String(day).padStart(2, '0')}T00:00:00Z`, day, text }));
  const encoded = encodeJson(Buffer.from(JSON.stringify(events)), {
    arrivalTime: day(4),
    mapFields: new Set(),
    placement: dataset.placement,
    limits: DEFAULT_LIMITS,
  });
  const idempotency = key === undefined ? {} : { idempotency: { key, answer: '{}' } };
  return storage.intake.append(dataset, encoded, {
    arrival: day(4),
    ...idempotency,
    ...(party !== undefined && { party }),
  });
}

/** Nanoseconds of a day of January 2026. */
export const day = (n: number): bigint => BigInt(Date.UTC(2026, 0, n)) * 1_000_000n;
