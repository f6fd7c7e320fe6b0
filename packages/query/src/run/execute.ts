import { namingColdDays } from '@millrace/storage/cold/cold-unavailable-error';
import type { CompiledQuery } from '@millrace/apl';
import { type Engine, EngineError, type Priority } from '@millrace/engine';
import type { Metrics } from '@millrace/http/metrics';
import type { Settings } from '@millrace/http/settings/settings';
import type { ArrivalFilter } from '@millrace/storage/consistent-reads';
import type { EventStorage } from '@millrace/storage/event-storage';
import { retry, RetryNeeded } from '../schedule/retry.js';
import { dropRedundantRange } from './drop-redundant-range.js';
import type { RowCountCache } from './row-count-cache.js';
import { type FlushResult, flushBeforeRead } from './flush-before-read.js';
import type { NewestPartitions } from './newest-partitions.js';
import type { QueryOutcome } from './outcome.js';
import { PlanRun } from './plan-run.js';
import type { MemoryGrant } from '../schedule/query-scheduler.js';
import { runStatements, type StatementsOutcome } from './query-statements.js';
import { statementsOf } from './statements.js';

/** Runs compiled queries on the engine. */

interface ExecuteDependencies {
  readonly engine: Engine;
  readonly storage: EventStorage;
  readonly settings: Settings;
  readonly metrics: Metrics;
  readonly examined: RowCountCache;
  readonly newest: NewestPartitions;
  /** Numbers of the datasets of the query. */
  readonly datasetIds: readonly number[];
}

export interface ExecuteOptions {
  readonly signal: AbortSignal;
  /** The flush before the query, for all its datasets. */
  readonly flushResult: FlushResult;
  /** When all statements of the query must be over, by `performance.now()`. */
  readonly deadline: number;
  /**
   * Time of the event from which the query continues: rows before it are excluded, so the number of
   * matches does not follow from the size of a page.
   */
  readonly cursor?: bigint | undefined;
  /** Whether to find out how many rows were examined and matched; the default is true. */
  readonly count?: boolean;
  /** Restricts the query by log position or ingest time. Such a result is never cached. */
  readonly arrived?: ArrivalFilter;
  /** The position up to which batches were flushed; all if omitted. */
  readonly upTo?: bigint;
  /** The ID of the query, to find its progress; without it, the progress is not visible. */
  readonly id?: string | undefined;
  /** How the statements wait for the engine; the default is `normal`. */
  readonly priority?: Priority;
  /** Engine resources for the query; default: as in the settings. */
  readonly grant?: MemoryGrant;
}

/**
 * Runs a query over all flushed batches.
 * @throws EngineError
 */
export async function execute(
  compiled: CompiledQuery,
  {
    signal,
    flushResult: { version, partial },
    deadline,
    cursor,
    count = true,
    arrived,
    upTo,
    id,
    priority = 'normal',
    grant = unlimitedGrant,
  }: ExecuteOptions,
  deps: ExecuteDependencies,
): Promise<QueryOutcome> {
  const { storage, datasetIds } = deps;
  const isCacheable = arrived === undefined && storage.knowsVersions && statementsOf(compiled).repeatable;
  const cacheVersion = !isCacheable || partial || upTo !== undefined ? undefined : version;
  const watermark = storage.reads.watermark(datasetIds);
  // Batches inserted during the query are excluded too: the result must not contain a batch that it
  // reports as missing.
  const missingPositions = arrived?.late === undefined ? undefined : storage.reads.missingPositions(datasetIds);
  const filter = missingPositions === undefined ? arrived : { ...arrived, without: missingPositions };
  const read = (): Promise<StatementsOutcome> =>
    namingColdDays(
      storage.coldTier,
      datasetIds,
      storage.readers.run(datasetIds, signal, (signal) =>
        storage.reads.run(
          datasetIds,
          (settings, began) => {
            const limits = { signal, deadline, grant, id, priority, version: cacheVersion };
            return runWithinRange(compiled, { cursor, count }, new PlanRun({ ...limits, settings, began }, deps), deps);
          },
          filter,
        ),
      ),
    );
  const outcome = await retry(['column-not-flushed'], async (previous) => {
    if (previous === undefined) return read();
    if (upTo !== undefined && !(await flushBeforeRead(deps)).partial) return read();
    const { error } = previous;
    throw partial && error instanceof EngineError ? new EngineError('unavailable', error.detail) : error;
  });
  return { ...outcome, partial, watermark, ...(missingPositions !== undefined && { missingPositions }) };
}

const unlimitedGrant: MemoryGrant = { memoryBytes: Infinity, statement: (work) => work() };

/** Runs a plan without the bounds of a range that contains all events. */
const runWithinRange = (
  compiled: CompiledQuery,
  options: { readonly cursor: bigint | undefined; readonly count: boolean },
  run: PlanRun,
  deps: ExecuteDependencies,
): Promise<StatementsOutcome> =>
  run.retry(['event-outside-range'], async (previous) => {
    if (previous !== undefined) return runStatements(compiled, compiled, options, run, deps);
    const shorter = await dropRedundantRange(compiled, deps.datasetIds, deps.storage);
    const outcome = await runStatements(compiled, shorter.compiled, options, run, deps);
    if (!shorter.holds()) throw new RetryNeeded('event-outside-range');
    return outcome;
  });
