import type { ArrivalClock } from '../../arrival-clock.js';
import type { TimeRange } from '@millrace/apl';
import { Recent } from '../../memory/recent.js';
import type { PartitionRows } from '../../storage/tables/partition-rows.js';

/**
 * For how long the partitions of a dataset are used before the engine is asked again, and for how
 * long there is no bound after one that misled.
 */
const freshMilliseconds = 10 * 60_000;
/** A bound that leaves out fewer partitions than this is not worth its condition. */
const leastLeftOut = 8;
const maxRemembered = 1000;

interface Known {
  readonly partitions: readonly PartitionRows[];
  /**
   * When the engine was asked, nanoseconds since the epoch: events that arrived later are not
   * counted.
   */
  readonly asOf: bigint;
  /** By `performance.now()`. */
  readonly until: number;
}

/**
 * Guesses a time since which a dataset has enough events to fill a page of its newest ones, so that
 * older partitions need not be read: opening the parts of a year takes longer than reading the
 * page. The guess rests on what was there some minutes ago, so a page that is not full has to be
 * asked for again without the bound.
 */
export class NewestPartitions {
  readonly #ask: (datasetId: number) => Promise<readonly PartitionRows[]>;
  readonly #arrivalClock: ArrivalClock;
  readonly #known = new Recent<number, Known>(maxRemembered);
  readonly #asking = new Set<number>();

  constructor(ask: (datasetId: number) => Promise<readonly PartitionRows[]>, arrivalClock: ArrivalClock) {
    this.#ask = ask;
    this.#arrivalClock = arrivalClock;
  }

  /**
   * A time since which there are probably this many rows in a range; undefined if that is not known
   * or would leave out few partitions. Nobody waits: the partitions are asked for in the
   * background, for the next page.
   */
  since(datasetId: number, rows: number, range: TimeRange): bigint | undefined {
    const known = this.#known.get(datasetId);
    if (known === undefined || known.until < performance.now()) void this.#learn(datasetId);
    if (known === undefined) return undefined;
    let found = 0;
    const enough = known.partitions.findIndex((partition) => {
      // When the range ends within a partition, any number of its rows may be later, unless the
      // range ends after all events that came in time.
      const isCounted = partition.end <= range.end || range.end >= known.asOf;
      if (partition.start < range.end && isCounted) found += partition.rows;
      return found >= rows;
    });
    if (enough < 0) return undefined;
    const { start } = known.partitions[enough]!;
    const leftOut = known.partitions.slice(enough + 1).filter(({ end }) => end > range.start && end <= start);
    return leftOut.length >= leastLeftOut ? start : undefined;
  }

  /** Call it when a page with the bound was not full, for example because events were deleted. */
  misled(datasetId: number): void {
    this.#keep(datasetId, []);
  }

  /** Never rejects. */
  async #learn(datasetId: number): Promise<void> {
    if (this.#asking.has(datasetId)) return;
    this.#asking.add(datasetId);
    try {
      this.#keep(datasetId, await this.#ask(datasetId));
    } catch {
      // Pages are answered without a bound. If the engine is down, the query itself fails and says
      // so.
      this.#keep(datasetId, []);
    } finally {
      this.#asking.delete(datasetId);
    }
  }

  #keep(datasetId: number, partitions: readonly PartitionRows[]): void {
    this.#known.set(datasetId, {
      partitions,
      asOf: this.#arrivalClock(),
      until: performance.now() + freshMilliseconds,
    });
  }
}
