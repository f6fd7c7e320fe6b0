import type { Engine } from '@millrace/engine';
import type { BudgetLimits } from '@millrace/events';
import type { Log } from '@millrace/log';
import type { Logger } from 'pino';
import type { Database } from '../metadata/database.js';
import type { FlusherLimits } from './insert/flusher.js';
import type { InserterDependencies } from './insert/inserter.js';
import type { QuietMergesDependencies, QuietMergesLimits } from './tables/quiet-merges.js';

/** What a storage is opened with. */

export interface StorageLimits extends FlusherLimits, QuietMergesLimits {
  /** One insert takes at most this many bytes, unless a single batch is larger. */
  readonly insertBytes: number;
  /** Limit on bytes acknowledged and not yet in the engine; above it ingest is refused until the engine has caught up. */
  readonly pendingBytes: number;
  /** How many physical columns a dataset may have. */
  readonly columns: BudgetLimits;
  /** How long answers to requests with an idempotency key are remembered. */
  readonly answerMilliseconds: number;
  readonly logKeepMilliseconds: number;
  readonly logKeepBytes: number;
}

export interface StorageOptions {
  readonly engine: Engine;
  readonly log: Log;
  /** Holds what the storage remembers between starts. */
  readonly database: Database;
  readonly flushed?: InserterDependencies['flushed'];
  readonly merged?: QuietMergesDependencies['merged'];
  readonly logger: Logger;
  readonly limits: StorageLimits;
  /** Ids of all datasets that exist. */
  readonly datasets: readonly number[];
}
