import type { ArrivalClock } from '@millrace/runtime/arrival-clock';
import type { TimeRange } from '@millrace/apl';
import { LruCache } from '@millrace/runtime/memory/lru-cache';
import type { PartitionRows } from '@millrace/storage/tables/partition-rows';

/**
 * How long the partitions of a dataset are cached, and how long no bound is used after a wrong one.
 */
const freshMilliseconds = 10 * 60_000;
/** A bound that leaves out fewer partitions than this is not worth its condition. */
const minExcluded = 8;
const maxRemembered = 1000;

interface CachedPartitions {
  readonly partitions: readonly PartitionRows[];
  /** When the engine was queried, nanoseconds since the epoch: later events are not counted. */
  readonly asOf: bigint;
  /** By `performance.now()`. */
  readonly until: number;
}

/**
 * Estimates a time since which a dataset has enough events for a page of the newest ones, so that
 * older partitions need not be read: opening the parts of a year takes longer than reading the
 * page. The estimate uses counts from some minutes ago, so a page that is not full must be queried
 * again without the bound.
 */
export class NewestPartitions {
  readonly #queryPartitions: (datasetId: number) => Promise<readonly PartitionRows[]>;
  readonly #arrivalClock: ArrivalClock;
  readonly #entries = new LruCache<number, CachedPartitions>(maxRemembered);
  readonly #loadingDatasets = new Set<number>();

  constructor(queryPartitions: (datasetId: number) => Promise<readonly PartitionRows[]>, arrivalClock: ArrivalClock) {
    this.#queryPartitions = queryPartitions;
    this.#arrivalClock = arrivalClock;
  }

  /**
   * A time since which there are probably this many rows in a range; undefined if that is not known
   * or would exclude few partitions. Does not wait: the partitions are queried in the background,
   * for the next page.
   */
  estimateSince(datasetId: number, rows: number, range: TimeRange): bigint | undefined {
    const known = this.#entries.get(datasetId);
    if (known === undefined || known.until < performance.now()) void this.#load(datasetId);
    if (known === undefined) return undefined;
    let found = 0;
    const enough = known.partitions.findIndex((partition) => {
      // When the range ends within a partition, any number of its rows may be later, unless the
      // range ends after all events that arrived without delay.
      const isCounted = partition.end <= range.end || range.end >= known.asOf;
      if (partition.start < range.end && isCounted) found += partition.rows;
      return found >= rows;
    });
    if (enough < 0) return undefined;
    const { start } = known.partitions[enough]!;
    const leftOut = known.partitions.slice(enough + 1).filter(({ end }) => end > range.start && end <= start);
    return leftOut.length >= minExcluded ? start : undefined;
  }

  /** Call it when a page with the bound was not full, for example because events were deleted. */
  discardBound(datasetId: number): void {
    this.#cache(datasetId, []);
  }

  /** Never rejects. */
  async #load(datasetId: number): Promise<void> {
    if (this.#loadingDatasets.has(datasetId)) return;
    this.#loadingDatasets.add(datasetId);
    try {
      this.#cache(datasetId, await this.#queryPartitions(datasetId));
    } catch {
      // Pages are answered without a bound. If the engine is down, the query itself fails and says
      // so.
      this.#cache(datasetId, []);
    } finally {
      this.#loadingDatasets.delete(datasetId);
    }
  }

  #cache(datasetId: number, partitions: readonly PartitionRows[]): void {
    this.#entries.set(datasetId, {
      partitions,
      asOf: this.#arrivalClock(),
      until: performance.now() + freshMilliseconds,
    });
  }
}
