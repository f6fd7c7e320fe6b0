import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Engine } from '@millrace/engine';
import { DEFAULT_LIMITS, encodeJson, type EncodeResult } from '@millrace/events';
import { type Log, openLog } from '@millrace/log';
import { pino } from 'pino';
import { openTestMetadata } from '@millrace/metadata/testing/metadata-stores';
import { openEngineIn } from '@millrace/server/testing/remote-engine';
import type { StoredDataset } from '../fields/dataset.js';
import type { RecoveryReport } from '../recovery/recovery.js';
import { Storage } from '../storage.js';
import { manualLimits } from './manual-limits.js';

/** A storage of one dataset over a real engine and a real log, in a separate directory. */
export interface StorageHarness {
  readonly engine: Engine;
  readonly log: Log;
  /** Starts a server. */
  open(engine?: Engine): Promise<{ readonly storage: Storage; readonly recovery: RecoveryReport }>;
  /** Values of the field `id` of all events, in order. */
  ids(): Promise<readonly number[]>;
  close(): Promise<void>;
}

export const datasetId = 1;
export const dataset = { datasetId, name: 'd' };
export const limits = { ...manualLimits, retryMilliseconds: 100, maxPendingBytes: 1 << 20 };

export async function realWorld(): Promise<StorageHarness> {
  const directory = mkdtempSync(join(tmpdir(), 'millrace-storage-'));
  const metadata = await openTestMetadata();
  const log = await openLog({ directory: join(directory, 'log') });
  const engine = await openEngineIn(directory);
  return {
    engine,
    log,
    open: async (over = engine) =>
      Storage.open({
        engine: over,
        log,
        database: metadata.database,
        logger: pino({ level: 'silent' }),
        limits,
        datasets: [datasetId],
      }),
    ids: async () => {
      const { body } = await engine.query('SELECT assumeNotNull(`id#i`) FROM millrace.d1 ORDER BY 1', {
        format: 'RowBinary',
      });
      const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
      return Array.from({ length: body.byteLength / 8 }, (_, i) => Number(view.getBigInt64(8 * i, true)));
    },
    close: async () => {
      await engine.close();
      await log.close();
      await metadata.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Events on three days, `n` of them. */
export const body = (n: number): Uint8Array =>
  Buffer.from(
    JSON.stringify(Array.from({ length: n }, (_, id) => ({ _time: `2026-01-0${1 + (id % 3)}T00:00:00Z`, id }))),
  );

export const encode = (stored: StoredDataset, bytes: Uint8Array): EncodeResult =>
  encodeJson(bytes, {
    arrivalTime: 1_767_225_600_000_000_000n,
    mapFields: new Set(),
    placement: stored.placement,
    limits: DEFAULT_LIMITS,
  });

export const upTo = (n: number): readonly number[] => Array.from({ length: n }, (_, i) => i);
