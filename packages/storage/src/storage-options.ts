import type { Engine } from '@millrace/engine';
import type { Log } from '@millrace/log';
import type { Logger } from 'pino';
import type { Clock } from '@millrace/metadata/clock';
import type { Database } from '@millrace/metadata/database';
import type { InserterDependencies } from './insert/failed-inserts.js';
import type { StorageLimits } from './storage-limits.js';
import type { ColdLimits } from './cold/tiering.js';
import type { QuietMergesDependencies } from './tables/idle-merges.js';

/** Options and dependencies of a storage. */
export interface StorageOptions {
  readonly engine: Engine;
  readonly log: Log;
  /** The metadata database, with the storage's persistent state. */
  readonly database: Database;
  readonly flushed?: InserterDependencies['flushed'];
  readonly merged?: QuietMergesDependencies['merged'];
  /** Which events move to a bucket. Default: none. */
  readonly cold?: ColdLimits;
  readonly moved?: (outcome: 'moved' | 'failed') => void;
  readonly logger: Logger;
  readonly limits: StorageLimits;
  /** Free space on the log's disk. Default: unlimited. */
  readonly freeBytes?: () => Promise<number>;
  /** Clock for retention. Default: the system clock. */
  readonly retentionClock?: Clock;
  /** IDs of all datasets that exist. */
  readonly datasets: readonly number[];
  /** The kind of a dataset. Default: all have events. */
  readonly kindOf?: (datasetId: number) => string | undefined;
  /** The highest dataset ID ever assigned by the metadata. Default: any. */
  readonly highestId?: number;
}
