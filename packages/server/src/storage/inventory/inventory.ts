import type { Engine } from '@millrace/engine';
import type { Logger } from 'pino';
import { OneByOne } from '../../async/one-by-one.js';
import { runEvery } from '../../async/run-every.js';
import type { Backlog } from '../insert/backlog.js';
import { unfinishedDeletions } from '../tables/all-tables.js';
import { countPartition, countPartitions, type PartitionCount } from '../tables/partition-counts.js';
import { timesOf } from '../tables/partitions.js';
import type { Count, InventoryStore, Missing } from './inventory-store.js';

interface InventoryDependencies {
  readonly engine: Engine;
  readonly store: InventoryStore;
  readonly logger: Logger;
  readonly backlog: Backlog;
  /** Those that exist. */
  readonly datasets: ReadonlyMap<number, unknown>;
}

const lookMilliseconds = 60_000;

/** Dataset and partition → the state of its parts, and the rows that were counted in them. */
type ExactCounts = Map<string, { readonly state: bigint; readonly rows: number }>;

/**
 * Knows how many rows each partition has at least, and notices when it has fewer: a part, a table
 * or the whole directory of the engine may be damaged or gone, and the engine answers without it.
 * Rows only ever become fewer by deletions, and each first has the counts it may change forgotten:
 * whatever is interrupted and when, the worst is that a partition is not counted until the next
 * look. The log gives nothing up that has not been counted.
 */
export class Inventory {
  readonly #deps: InventoryDependencies;
  /** Dataset → partition → the rows it has at least. */
  readonly #least: Map<number, Map<number, number>>;
  #missing: readonly Missing[];
  /** Rises when a deletion of a dataset begins and when it ends: odd while one is under way. */
  readonly #deletions = new Map<number, number>();
  /**
   * Counts of partitions with deleted rows, which are not counted again while their parts stay the
   * same.
   */
  #exact: ExactCounts = new Map();
  readonly #looks = new OneByOne();
  /** Whether rows may have come or gone since the last look. */
  #stale = true;
  /** What a start replays comes back up to here. */
  #replayedUpTo = 0n;
  #stopLooking: () => Promise<void> = async () => undefined;

  private constructor(deps: InventoryDependencies, counts: readonly Count[], missing: readonly Missing[]) {
    this.#deps = deps;
    this.#missing = missing;
    this.#least = new Map();
    for (const { datasetId, partition, rows } of counts) this.#partitions(datasetId).set(partition, rows);
  }

  static async open(deps: InventoryDependencies): Promise<Inventory> {
    const { counts, missing } = await deps.store.load();
    return new Inventory(deps, counts, missing);
  }

  /** Call it when everything that the log has and the engine lacks is in the backlog. */
  async start(lastPosition: bigint): Promise<void> {
    this.#replayedUpTo = lastPosition;
    await this.look();
    this.#stopLooking = runEvery(lookMilliseconds, () => {
      this.#stale = true;
      return this.look();
    });
  }

  async stop(): Promise<void> {
    await this.#stopLooking();
  }

  /** What was there once and was not deleted, of datasets that exist. */
  get missing(): readonly Missing[] {
    return this.#missing.filter(({ datasetId }) => this.#deps.datasets.has(datasetId));
  }

  /** Rows were added. */
  added(): void {
    this.#stale = true;
  }

  /** Counts again, and compares. Never rejects: what cannot be counted now is counted later. */
  look(): Promise<void> {
    return this.#looks.run(async () => {
      if (!this.#stale) return;
      this.#stale = false;
      await this.#look().catch((error: unknown) => {
        this.#stale = true;
        this.#deps.logger.debug({ err: error }, 'the events could not be counted');
      });
    });
  }

  /**
   * Runs work that deletes events of a dataset, one at a time.
   * @param before if given, only events before this time, in nanoseconds since the epoch, can go
   */
  async during<T>(datasetId: number, before: bigint | undefined, work: () => Promise<T>): Promise<T> {
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
    this.#least.delete(datasetId);
    this.#missing = this.#missing.filter((missing) => missing.datasetId !== datasetId);
  }

  /** The operator knows of what is missing, and does without it. */
  async accept(): Promise<void> {
    await this.#deps.store.accept();
    this.#missing = [];
  }

  #partitions(datasetId: number): Map<number, number> {
    const known = this.#least.get(datasetId) ?? new Map<number, number>();
    this.#least.set(datasetId, known);
    return known;
  }

  async #look(): Promise<void> {
    const { engine, datasets, store } = this.#deps;
    const before = new Map(this.#deletions);
    // Asked first: one that ends meanwhile has been seen.
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
        // What a start replays is not there yet.
        (oldest === undefined || oldest > this.#replayedUpTo)
      );
    };
    const exact: ExactCounts = new Map();
    const counts: Count[] = [];
    for (const datasetId of datasets.keys()) {
      if (!quiet(datasetId)) continue;
      const there = new Map(found.get(datasetId)?.map((count) => [count.partition, count]));
      for (const partition of new Set([...there.keys(), ...(this.#least.get(datasetId)?.keys() ?? [])])) {
        const rows = await this.#count(datasetId, partition, there.get(partition), exact);
        if (rows !== this.#least.get(datasetId)?.get(partition)) counts.push({ datasetId, partition, rows });
      }
    }
    this.#exact = exact;
    // From here to the statement nothing is waited for: a deletion that begins later forgets later,
    // too.
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
    const least = this.#least.get(datasetId)?.get(partition) ?? 0;
    if (there !== undefined && !there.hasDeleted && there.rows >= least) return there.rows;
    const key = `${datasetId} ${partition}`;
    const known = this.#exact.get(key);
    const state = there?.state ?? 0n;
    // What seems to be missing is counted in any case.
    const rows =
      known?.state === state && known.rows >= least
        ? known.rows
        : await countPartition(this.#deps.engine, datasetId, partition);
    exact.set(key, { state, rows });
    return rows;
  }

  /** Notes the partitions that have fewer rows than they had; returns them. */
  #compare(counts: readonly Count[]): readonly Missing[] {
    const lost = counts.flatMap(({ datasetId, partition, rows }): readonly Missing[] => {
      const least = this.#least.get(datasetId)?.get(partition) ?? 0;
      if (rows >= least) return [];
      const earlier = this.#missing.find((one) => one.datasetId === datasetId && one.partition === partition);
      const since = earlier?.since ?? new Date().toISOString();
      return [{ datasetId, partition, events: (earlier?.events ?? 0) + least - rows, since }];
    });
    if (lost.length === 0) return lost;
    const same = (a: Missing, b: Missing): boolean => a.datasetId === b.datasetId && a.partition === b.partition;
    this.#missing = [...this.#missing.filter((one) => !lost.some((other) => same(one, other))), ...lost];
    for (const one of lost) this.#deps.logger.error({ ...one }, 'events are missing that nobody deleted');
    return lost;
  }
}
