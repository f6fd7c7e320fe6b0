import type { Engine } from '@millrace/engine';
import type { Logger } from 'pino';
import { Mutex } from '@millrace/runtime/async/mutex';
import { runEvery } from '@millrace/runtime/async/run-every';
import { isDamage } from '../damaged-files.js';
import type { Backlog } from '../insert/backlog.js';
import { unfinishedDeletions } from '../tables/all-tables.js';
import { countPartition, countPartitions, type PartitionCount } from '../tables/partition-counts.js';
import { timesOf } from '../tables/partitions.js';
import { numberOfLog } from '../truncation-checkpoint.js';
import type { Count, InventoryStore, MissingEvents } from './inventory-store.js';

interface InventoryDependencies {
  readonly engine: Engine;
  readonly store: InventoryStore;
  readonly logger: Logger;
  readonly backlog: Backlog;
  /** Existing datasets. */
  readonly datasets: ReadonlyMap<number, unknown>;
}

const lookMilliseconds = 60_000;
/** How soon a dataset is counted for the first time. */
const firstLookMilliseconds = 1000;

/** Dataset and partition → the state of its parts, and the rows counted in them. */
type ExactCounts = Map<string, { readonly state: bigint; readonly rows: number }>;

/**
 * Tracks the minimum row count of each partition, and detects when it has fewer: a part, a table or
 * the whole directory of the engine may be damaged or lost, and the engine returns results without
 * it. Rows decrease only by deletions, and each first deletes the counts it may change: after any
 * interruption, at worst a partition is not counted until the next check. The log is truncated only
 * after its rows were counted.
 */
export class Inventory {
  readonly #deps: InventoryDependencies;
  /** Dataset → partition → minimum row count. */
  readonly #min: Map<number, Map<number, number>>;
  #missingEvents: readonly MissingEvents[];
  /** Rises when a deletion of a dataset begins and when it ends: odd during a deletion. */
  readonly #deletions = new Map<number, number>();
  /**
   * Counts of partitions with deleted rows, which are not counted again while their parts stay the
   * same.
   */
  #exact: ExactCounts = new Map();
  readonly #looks = new Mutex();
  /** Whether rows may have changed since the last check. */
  #stale = true;
  /** Last position that the start replays. */
  #replayedUpTo = 0n;
  #isStarted = false;
  #first: NodeJS.Timeout | undefined;
  #stopTimer: () => Promise<void> = async () => undefined;

  private constructor(deps: InventoryDependencies, counts: readonly Count[], missing: readonly MissingEvents[]) {
    this.#deps = deps;
    this.#missingEvents = missing;
    this.#min = new Map();
    for (const { datasetId, partition, rows } of counts) this.#partitions(datasetId).set(partition, rows);
  }

  static async open(deps: InventoryDependencies): Promise<Inventory> {
    const { counts, missing } = await deps.store.load();
    return new Inventory(deps, counts, missing);
  }

  /** Call it when every batch of the log that the engine lacks is in the backlog. */
  async start(lastPosition: bigint): Promise<void> {
    this.#replayedUpTo = lastPosition;
    await this.check();
    this.#isStarted = true;
    this.#stopTimer = runEvery(lookMilliseconds, () => {
      this.#stale = true;
      return this.check();
    });
  }

  async stop(): Promise<void> {
    clearTimeout(this.#first);
    this.#isStarted = false;
    await this.#stopTimer();
  }

  /** Missing rows of existing datasets; files of the log have its number instead of a dataset's. */
  get missing(): readonly MissingEvents[] {
    return this.#missingEvents.filter(
      ({ datasetId }) => datasetId === numberOfLog || this.#deps.datasets.has(datasetId),
    );
  }

  /**
   * Rows were added. A dataset without any count is counted soon: otherwise nothing would be missed
   * if its files were lost within a minute of its first events.
   */
  add(datasetId: number): void {
    this.#stale = true;
    if (!this.#isStarted || this.#first !== undefined || (this.#min.get(datasetId)?.size ?? 0) > 0) return;
    this.#first = setTimeout(() => {
      this.#first = undefined;
      void this.check();
    }, firstLookMilliseconds).unref();
  }

  /** Files of the log are gone, with an unknown number of events that were not stored yet. */
  async lostLog(): Promise<void> {
    if (this.#missingEvents.some(({ datasetId }) => datasetId === numberOfLog)) return;
    const lost = { datasetId: numberOfLog, partition: 0, events: 0, since: new Date().toISOString() };
    await this.#deps.store.write([], [lost]);
    this.#missingEvents = [...this.#missingEvents, lost];
  }

  /** Counts and compares. Never rejects: what cannot be counted now is counted later. */
  check(): Promise<void> {
    return this.#looks.run(async () => {
      if (!this.#stale) return;
      this.#stale = false;
      await this.#check().catch((error: unknown) => {
        this.#stale = true;
        this.#deps.logger.debug({ err: error }, 'could not count events');
      });
    });
  }

  /** Counts and compares; returns the missing rows. */
  async recount(): Promise<readonly MissingEvents[]> {
    await this.check();
    return this.missing;
  }

  /**
   * Runs a deletion of a dataset's events, one at a time.
   * @param before if given, only events before this time, in nanoseconds since the epoch, may be
   * deleted
   */
  async whileDeleting<T>(datasetId: number, before: bigint | undefined, work: () => Promise<T>): Promise<T> {
    const turn = (): void => void this.#deletions.set(datasetId, (this.#deletions.get(datasetId) ?? 0) + 1);
    turn();
    try {
      const counts = this.#partitions(datasetId);
      const touched = [...counts.keys()].filter((key) => before === undefined || timesOf(key).start < before);
      await this.#deps.store.forgetCounts(datasetId, touched);
      for (const partition of touched) counts.delete(partition);
      return await work();
    } finally {
      turn();
      this.#stale = true;
    }
  }

  /** The dataset is deleted. */
  async forget(datasetId: number): Promise<void> {
    await this.#deps.store.forget(datasetId);
    this.#min.delete(datasetId);
    this.#missingEvents = this.#missingEvents.filter((missing) => missing.datasetId !== datasetId);
  }

  /** The operator accepts the loss of the missing rows. */
  async accept(): Promise<void> {
    await this.#deps.store.accept();
    this.#missingEvents = [];
  }

  #partitions(datasetId: number): Map<number, number> {
    const known = this.#min.get(datasetId) ?? new Map<number, number>();
    this.#min.set(datasetId, known);
    return known;
  }

  async #check(): Promise<void> {
    const { engine, datasets, store } = this.#deps;
    const before = new Map(this.#deletions);
    // Queried first, so that a deletion that ends during the count is included.
    const deleting = new Set(await unfinishedDeletions(engine));
    const found = new Map<number, PartitionCount[]>();
    for (const count of await countPartitions(engine))
      found.set(count.datasetId, [...(found.get(count.datasetId) ?? []), count]);
    const quiet = (id: number): boolean => {
      const changes = this.#deletions.get(id) ?? 0;
      const oldest = this.#deps.backlog.oldestOf(id);
      return (
        datasets.has(id) &&
        !deleting.has(id) &&
        changes % 2 === 0 &&
        changes === (before.get(id) ?? 0) &&
        // Batches that the start replays are not stored yet.
        (oldest === undefined || oldest > this.#replayedUpTo)
      );
    };
    const exact: ExactCounts = new Map();
    const counts: Count[] = [];
    for (const datasetId of datasets.keys()) {
      if (!quiet(datasetId)) continue;
      const there = new Map(found.get(datasetId)?.map((count) => [count.partition, count]));
      for (const partition of new Set([...there.keys(), ...(this.#min.get(datasetId)?.keys() ?? [])])) {
        const rows = await this.#count(datasetId, partition, there.get(partition), exact);
        if (rows !== this.#min.get(datasetId)?.get(partition)) counts.push({ datasetId, partition, rows });
      }
    }
    this.#exact = exact;
    // No `await` from here to the statement: a deletion that begins later also deletes its counts
    // later.
    const certain = counts.filter(({ datasetId }) => quiet(datasetId));
    if (certain.length === 0) return;
    const missing = this.#compare(certain);
    for (const { datasetId, partition, rows } of certain) this.#partitions(datasetId).set(partition, rows);
    await store.write(certain, missing);
  }

  async #count(
    datasetId: number,
    partition: number,
    there: PartitionCount | undefined,
    exact: ExactCounts,
  ): Promise<number> {
    const min = this.#min.get(datasetId)?.get(partition) ?? 0;
    if (there !== undefined && !there.hasDeleted && there.rows >= min) return there.rows;
    const key = `${datasetId} ${partition}`;
    const known = this.#exact.get(key);
    const state = there?.state ?? 0n;
    // Partitions that seem to miss rows are always counted.
    const rows =
      known?.state === state && known.rows >= min
        ? known.rows
        : await this.#countReadable(datasetId, partition, there?.rows ?? 0);
    exact.set(key, { state, rows });
    return rows;
  }

  /** A partition with damaged files has the rows that its parts name. */
  async #countReadable(datasetId: number, partition: number, named: number): Promise<number> {
    try {
      return await countPartition(this.#deps.engine, datasetId, partition);
    } catch (error) {
      if (isDamage(error)) return named;
      throw error;
    }
  }

  /** Records the partitions that have lost rows; returns them. */
  #compare(counts: readonly Count[]): readonly MissingEvents[] {
    const lost = counts.flatMap(({ datasetId, partition, rows }): readonly MissingEvents[] => {
      const min = this.#min.get(datasetId)?.get(partition) ?? 0;
      if (rows >= min) return [];
      const earlier = this.#missingEvents.find((one) => one.datasetId === datasetId && one.partition === partition);
      const since = earlier?.since ?? new Date().toISOString();
      return [{ datasetId, partition, events: (earlier?.events ?? 0) + min - rows, since }];
    });
    if (lost.length === 0) return lost;
    const same = (a: MissingEvents, b: MissingEvents): boolean =>
      a.datasetId === b.datasetId && a.partition === b.partition;
    this.#missingEvents = [...this.#missingEvents.filter((one) => !lost.some((other) => same(one, other))), ...lost];
    for (const one of lost) this.#deps.logger.error({ ...one }, 'events are missing without having been deleted');
    return lost;
  }
}
