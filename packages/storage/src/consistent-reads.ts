import type { Settings } from '@millrace/engine';
import type { Log } from '@millrace/log';
import { quoteString } from '@millrace/sql';
import type { DamagedFiles } from './damaged-files.js';
import type { Backlog } from './insert/backlog.js';
import type { StoredDataset } from './fields/dataset.js';
import type { PartialBatches } from './insert/partial-batches.js';
import type { QuarantinedBatches } from './insert/quarantine.js';
import { tableOf } from './tables/table-of-dataset.js';

/**
 * Maximum time from a statement's start in the engine to its snapshot; before that it is parsed and
 * planned.
 */
const beginMilliseconds = 1000;

type Bounds = Readonly<Record<string, string>>;

/**
 * Restricts a read by ingest order: batches after one position and up to another, or by ingest
 * time, nanoseconds since the epoch.
 */
export interface ArrivalFilter {
  readonly after?: bigint;
  /** With `after`: also the rows after this one in the batch there. */
  readonly row?: number;
  readonly upTo?: bigint;
  /** With `after`: also the batches at these positions, in any place. */
  readonly late?: readonly bigint[];
  /** Excludes the batches at these positions. */
  readonly without?: readonly bigint[];
  readonly by?: bigint;
}

/**
 * Runs a read with settings, which the read passes to the engine; the read reports when the engine
 * began each statement, by `performance.now()`.
 */
export type RunRead = <T>(
  datasetIds: readonly number[],
  read: (settings: Settings, began: (at: number) => void) => Promise<T>,
  arrived?: ArrivalFilter,
) => Promise<T>;

/**
 * Reads datasets so that each batch is visible completely or not at all, and everything inserted by
 * an earlier flush is visible.
 */
export class ConsistentReads {
  readonly #backlog: Backlog;
  readonly #log: Log;
  readonly #partialBatches: Pick<PartialBatches, 'of'>;
  readonly #quarantine: Pick<QuarantinedBatches, 'list'>;
  readonly #datasets: ReadonlyMap<number, StoredDataset>;
  readonly #damagedFiles: Pick<DamagedFiles, 'note'>;

  constructor(
    backlog: Backlog,
    log: Log,
    partialBatches: Pick<PartialBatches, 'of'>,
    quarantine: Pick<QuarantinedBatches, 'list'>,
    datasets: ReadonlyMap<number, StoredDataset>,
    damaged: Pick<DamagedFiles, 'note'>,
  ) {
    this.#backlog = backlog;
    this.#log = log;
    this.#partialBatches = partialBatches;
    this.#quarantine = quarantine;
    this.#datasets = datasets;
    this.#damagedFiles = damaged;
  }

  /**
   * Runs a read. If it waited for the engine so long that an insert overtook it, it may have seen
   * half of a batch and is repeated.
   * @param read queries the engine with the given settings, and reports when the engine began
   * each statement, by `performance.now()`
   * @param arrived restricts the events by ingest order
   */
  async run<T>(
    datasetIds: readonly number[],
    read: (settings: Settings, began: (at: number) => void) => Promise<T>,
    arrived?: ArrivalFilter,
  ): Promise<T> {
    const datasets = this.#present(datasetIds);
    const bounded = datasets.filter(
      ({ id, batchVisibility }) =>
        batchVisibility.isBounded || this.#backlog.mayHaveParts(id) || this.#partialBatches.of(id).length > 0,
    );
    let latest: number | undefined;
    const pendingRead = read(this.#bounds(bounded, datasets, arrived), (at) => (latest = Math.max(latest ?? at, at)));
    const free = datasets.filter((dataset) => !bounded.includes(dataset));
    const unboundedReads = free.map(({ batchVisibility }) => batchVisibility.register(pendingRead));
    const answer = await pendingRead.catch((error: unknown) => {
      this.#damagedFiles.note(error, datasetIds);
      throw error;
    });
    const sawHalf = unboundedReads.some(
      ({ overtakenAt }) => overtakenAt !== undefined && (latest ?? Infinity) > overtakenAt - beginMilliseconds,
    );
    return sawHalf ? read(this.#bounds(datasets, datasets, arrived), () => undefined) : answer;
  }

  /** Settings with the same effect, for long reads, which must not delay an insert. */
  bounds(datasetIds: readonly number[], arrived?: ArrivalFilter): Bounds {
    const datasets = this.#present(datasetIds);
    return this.#bounds(datasets, datasets, arrived);
  }

  /**
   * The watermark: no batch of these datasets at or below it is in flight, so later reads see all
   * of them. Quarantined batches do not count; if one is inserted after a later start, its position
   * is below watermarks returned before.
   */
  watermark(datasetIds: readonly number[]): bigint {
    const next = this.#log.stats().lastPosition + 1n;
    const oldest = datasetIds.map((id) => this.#backlog.oldestOf(id) ?? next);
    return oldest.reduce((min, position) => (position < min ? position : min), next) - 1n;
  }

  /**
   * Positions of batches missing from all results, because the engine rejected them or has only a
   * part of them: they may be inserted after a later start. Readers by position remember them, and
   * request them as `late` once they are no longer in this list.
   */
  missingPositions(datasetIds: readonly number[]): readonly bigint[] {
    const quarantine = this.#quarantine.list().filter(({ datasetId }) => datasetIds.includes(datasetId));
    return [
      ...new Set([
        ...datasetIds.flatMap((id) => this.#partialBatches.of(id)),
        ...quarantine.map(({ position }) => position),
      ]),
    ];
  }

  #present(datasetIds: readonly number[]): readonly StoredDataset[] {
    return datasetIds.flatMap((id) => this.#datasets.get(id) ?? []);
  }

  /** @param bounded datasets that need a condition, so that only complete batches are visible */
  #bounds(bounded: readonly StoredDataset[], datasets: readonly StoredDataset[], arrived?: ArrivalFilter): Bounds {
    const filtered = arrived === undefined ? bounded : datasets;
    return onlyWhere(
      filtered.map((dataset) => {
        const conditions = [
          ...(bounded.includes(dataset) ? [this.#isIn(dataset.id)] : []),
          ...(arrived === undefined ? [] : [hasArrived(arrived)]),
        ];
        return [dataset.id, conditions.join(' AND ')];
      }),
    );
  }

  /**
   * A condition for the rows of batches that have left the backlog. A quarantined batch is retried
   * long after later batches were inserted, and perhaps while the query waits for the engine, so
   * quarantined batches are excluded.
   */
  #isIn(datasetId: number): string {
    const oldest = this.#backlog.oldestOf(datasetId) ?? this.#log.stats().lastPosition + 1n;
    const missingPositions = this.missingPositions([datasetId]);
    return missingPositions.length === 0
      ? `_seq < ${oldest}`
      : `_seq < ${oldest} AND _seq NOT IN (${missingPositions.join(', ')})`;
  }
}

/** Settings with which the engine sees only the rows that match a condition per dataset. */
export function onlyWhere(conditions: readonly (readonly [datasetId: number, condition: string])[]): Bounds {
  if (conditions.length === 0) return {};
  const filters = conditions.map(([datasetId, condition]) => {
    const { database, table } = tableOf(datasetId);
    return `${quoteString(`${database}.${table}`)}: ${quoteString(condition)}`;
  });
  return { additional_table_filters: `{${filters.join(', ')}}` };
}

/** The condition of an ingest order restriction. */
export function hasArrived({ late = [], without = [], ...arrived }: ArrivalFilter): string {
  const inRange = conditionsOf(arrived);
  const either = late.length === 0 ? inRange : `((${inRange}) OR _seq IN (${late.join(', ')}))`;
  return without.length === 0 ? either : `${either} AND _seq NOT IN (${without.join(', ')})`;
}

function conditionsOf({ after, row, upTo, by }: Omit<ArrivalFilter, 'late' | 'without'>): string {
  const conditions = [
    ...(after === undefined
      ? []
      : [row === undefined ? `_seq > ${after}` : `_seq >= ${after} AND (_seq > ${after} OR _row > ${row})`]),
    ...(upTo === undefined ? [] : [`_seq <= ${upTo}`]),
    ...(by === undefined ? [] : [`_sysTime <= fromUnixTimestamp64Nano(toInt64(${by}), 'UTC')`]),
  ];
  return conditions.length === 0 ? '1' : conditions.join(' AND ');
}
