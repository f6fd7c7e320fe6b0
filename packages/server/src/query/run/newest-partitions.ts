import type { TimeRange } from '@millrace/apl';
import { Recent } from '../../recent.js';
import type { PartitionRows } from '../../storage/tables/partition-rows.js';

/** How long what is known of a dataset is used before it is asked again, and how long nothing is known after it has misled. */
const freshMilliseconds = 10 * 60_000;
/** A bound by which fewer partitions are left out is not worth its condition. */
const leastLeftOut = 8;
const maxRemembered = 1000;

interface Known {
  readonly partitions: readonly PartitionRows[];
  /** Events that come later than this, nanoseconds since the epoch, are not counted. */
  readonly asOf: bigint;
  /** By `performance.now()`. */
  readonly until: number;
}

/**
 * Guesses since when a dataset has so many events that a page of its newest ones needs no older partitions: opening the parts of a year takes longer
 * than reading the page. The guess is about what was there some minutes ago, so a page that it does not fill has to be asked for again without it.
 */
export class NewestPartitions {
  readonly #ask: (datasetId: number) => Promise<readonly PartitionRows[]>;
  readonly #clock: () => bigint;
  readonly #known = new Recent<number, Known>(maxRemembered);
  readonly #asking = new Set<number>();

  constructor(ask: (datasetId: number) => Promise<readonly PartitionRows[]>, clock: () => bigint) {
    this.#ask = ask;
    this.#clock = clock;
  }

  /**
   * A time since which there are probably as many rows in a range; undefined if that is not known or would leave out little. Nobody waits: what is not
   * known is asked for in the background, for the next page.
   */
  since(datasetId: number, rows: number, range: TimeRange): bigint | undefined {
    const known = this.#known.get(datasetId);
    if (known === undefined || known.until < performance.now()) void this.#learn(datasetId);
    if (known === undefined) return undefined;
    let found = 0;
    const enough = known.partitions.findIndex((partition) => {
      // Of a partition that the range ends in, any number of rows may come after it, unless the range ends after all events.
      if (partition.end <= range.end || range.end >= known.asOf) found += partition.rows;
      return found >= rows;
    });
    if (enough < 0) return undefined;
    const { start } = known.partitions[enough]!;
    const leftOut = known.partitions.slice(enough + 1).filter(({ end }) => end > range.start && end <= start);
    return leftOut.length >= leastLeftOut ? start : undefined;
  }

  /** A page was not full although it should have been, for example because events were deleted. */
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
      // Pages are answered without it. An engine that is down says so to whoever asks for events.
      this.#keep(datasetId, []);
    } finally {
      this.#asking.delete(datasetId);
    }
  }

  #keep(datasetId: number, partitions: readonly PartitionRows[]): void {
    this.#known.set(datasetId, { partitions, asOf: this.#clock(), until: performance.now() + freshMilliseconds });
  }
}
