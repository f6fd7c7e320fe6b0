import type { Engine } from '@millrace/engine';
import type { Log } from '@millrace/log';
import type { Logger } from 'pino';
import type { Clock } from '../metadata/clock.js';
import type { Database } from '../metadata/database.js';
import type { InserterDependencies } from './insert/failed-inserts.js';
import type { StorageLimits } from './storage-limits.js';
import type { ColdLimits } from './tables/cold-moves.js';
import type { QuietMergesDependencies } from './tables/quiet-merges.js';

/** What a storage is opened with. */
export interface StorageOptions {
  readonly engine: Engine;
  readonly log: Log;
  /** Holds what the storage remembers between starts. */
  readonly database: Database;
  readonly flushed?: InserterDependencies['flushed'];
  readonly merged?: QuietMergesDependencies['merged'];
  /** Which events move to a bucket. Default: none. */
  readonly cold?: ColdLimits;
  readonly moved?: (outcome: 'moved' | 'failed') => void;
  readonly logger: Logger;
  readonly limits: StorageLimits;
  /** How much room the disk of the log has. Default: enough. */
  readonly freeBytes?: () => Promise<number>;
  /** For what is removed because of its age. Default: that of the system. */
  readonly aging?: Clock;
  /** Ids of all datasets that exist. */
  readonly datasets: readonly number[];
  /** The highest id that the metadata has ever given to a dataset. Default: any. */
  readonly highestId?: number;
}
