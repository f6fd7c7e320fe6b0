import { type Engine, EngineError } from '@millrace/engine';
import type { WordSets } from '@millrace/sql';
import type { Logger } from 'pino';
import { Recent } from '../../memory/recent.js';
import type { StoredDataset } from '../fields/dataset.js';
import type { Batch } from '../insert/queue.js';
import { stretchOf } from '../insert/times.js';
import { queryNumbers } from '../tables/ask.js';
import { quotedTable } from '../tables/table-of-dataset.js';
import { addWords } from './add-words.js';
import { type FoundWords, foundWords } from './found-words.js';
import { bytesOf, type KeptWords, keptSpansWith, readWords } from './kept-words.js';
import type { Stretch } from './stretches.js';
import { areWorthReading, lengthOf } from './worth-reading.js';
import { UncoveredEvents } from './uncovered.js';
import { createWordTable, dropWordTable, type Occurrence, positionOfWords, spansWith } from './word-table.js';

/** What is known of the words of a dataset. */
interface Known {
  /**
   * The table has the words of all events up to this position of the log; undefined if there is no
   * table.
   */
  upTo: bigint | undefined;
  /** Up to which position they are being added now. */
  adding: bigint | undefined;
  readonly uncovered: UncoveredEvents;
  /** From the oldest event to the newest; those that are gone may count. */
  extent: Stretch | undefined;
  /** When the last event came, by `performance.now()`. */
  cameAt: number;
  /** What was looked up since the table last grew: the spans of each set. */
  found: Recent<string, Spans | 'everywhere'>;
  /** What the table has, if it is in memory. */
  kept: KeptWords | undefined;
  /** Up to which position the table had words when it was last tried to keep them in memory. */
  triedAt: bigint | undefined;
}

type Spans = readonly (readonly Occurrence[])[];

interface Covered {
  readonly rows: number;
  readonly since: number;
  readonly cameAt: number;
  readonly exists: boolean;
}

/** Rows of a dataset that is to be read again: at least as many as are worth it. */
const manyRows = 2 ** 31;
/** Searches that are remembered for each dataset. */
const mostFound = 256;
/**
 * Looking only at some times costs a comparison for each event; it has to rule out this share of
 * them: all but one in this many.
 */
const leastSaved = 2n;

/**
 * Knows at which times events with certain words can be, so that a search for something rare reads
 * little. Events are covered by their position in the log: up to one position the words of all
 * events are in the table, and of batches behind it the times are known. What rewrites the rows of
 * a dataset does not concern it: columns that are added, move or go, merges and deletions.
 */
export class WordIndex {
  readonly #engine: Engine;
  readonly #memoryBytes: number;
  readonly #logger: Pick<Logger, 'error'> | undefined;
  readonly #known = new Map<number, Promise<Known>>();
  /** The same, as far as it is there. */
  readonly #loaded = new Map<number, Known>();
  /** Datasets whose texts are changing. */
  readonly #held = new Set<number>();

  /**
   * @param memoryBytes what words in memory may take, those of all datasets together
   * @param logger told of a dataset of whose words some are gone
   */
  constructor(engine: Engine, memoryBytes = 0, logger?: Pick<Logger, 'error'>) {
    this.#engine = engine;
    this.#memoryBytes = memoryBytes;
    this.#logger = logger;
  }

  /**
   * Notes batches before they go in. If one comes behind others that are covered, for instance
   * because the engine refused it for a time, the table no longer says the truth: it is made again.
   */
  async before(dataset: StoredDataset, batches: readonly Batch[]): Promise<void> {
    let known = await this.#of(dataset.id);
    const covered = (): bigint => max(known.upTo ?? 0n, known.adding ?? 0n);
    if (batches.some(({ position }) => position <= covered())) {
      await this.#forget(dataset.id);
      known = await this.#of(dataset.id);
    }
    const since = performance.now();
    for (const { position, block } of batches) {
      const stretch = stretchOf(block);
      known.uncovered.add({ position, ...stretch, rows: block.rows, since });
      known.extent = known.extent === undefined ? stretch : both(known.extent, stretch);
    }
    known.cameAt = since;
  }

  /**
   * Where events can be that have the words of one of the sets; undefined if that is not known, or
   * if it is not worth knowing.
   */
  async find(datasetId: number, sets: WordSets): Promise<FoundWords | undefined> {
    const known = await this.#of(datasetId);
    if (known.upTo === undefined) return undefined;
    // As of now: an event that comes while the table is asked need not be found, and what is
    // covered meanwhile is found twice.
    const { stretches } = known.uncovered;
    const { found } = known;
    const key = JSON.stringify(sets);
    const before = found.get(key);
    const spans = before ?? (await this.#look(datasetId, sets, known));
    if (before === undefined) found.set(key, spans);
    if (spans === 'everywhere') return undefined;
    const all = foundWords(sets, spans, stretches);
    return areWorthReading(all.stretches, known.extent) ? all : undefined;
  }

  async #look(datasetId: number, sets: WordSets, { kept, extent }: Known): Promise<Spans | 'everywhere'> {
    const ofSet = async (words: readonly string[]): Promise<readonly Occurrence[] | undefined> => {
      const spans = kept === undefined ? 'unknown' : keptSpansWith(kept, words);
      return spans === 'unknown' ? spansWith(this.#engine, datasetId, words) : spans;
    };
    try {
      const spans: (readonly Occurrence[])[] = [];
      for (const words of sets) {
        const some = await ofSet(words);
        if (some === undefined) return 'everywhere';
        spans.push(some);
      }
      const { stretches } = foundWords(sets, spans, []);
      const isLong = extent !== undefined && lengthOf(stretches) * leastSaved > lengthOf([extent]);
      return isLong || !areWorthReading(stretches, extent) ? 'everywhere' : spans;
    } catch (error) {
      // The table is being made again.
      if (error instanceof EngineError && error.code === 'unknown-table') return 'everywhere';
      throw error;
    }
  }

  /**
   * Takes the words of a dataset into memory, unless they are there or there is no room for them.
   */
  async keep(datasetId: number): Promise<void> {
    const known = await this.#of(datasetId);
    const { upTo, kept, triedAt } = known;
    if (upTo === undefined || kept !== undefined || triedAt === upTo) return;
    known.triedAt = upTo;
    const others = [...this.#loaded.values()].reduce((sum, one) => sum + (one.kept ? bytesOf(one.kept) : 0), 0);
    const read = await readWords(this.#engine, datasetId, this.#memoryBytes - others);
    // What came in between is not among them.
    if (known.upTo === upTo && known.adding === undefined && this.#loaded.get(datasetId) === known) known.kept = read;
  }

  /**
   * Removes the table: all events have to be read again. What is known of the times of events
   * stays, as an insert may be under way.
   */
  async #forget(datasetId: number): Promise<void> {
    const { upTo, uncovered, extent, cameAt } = await this.#of(datasetId);
    await dropWordTable(this.#engine, datasetId);
    if (upTo !== undefined && extent !== undefined)
      uncovered.add({ position: upTo, ...extent, rows: manyRows, since: performance.now() });
    const known: Known = {
      upTo: undefined,
      adding: undefined,
      uncovered,
      extent,
      cameAt,
      found: new Recent(mostFound),
      kept: undefined,
      triedAt: undefined,
    };
    this.#known.set(datasetId, Promise.resolve(known));
    this.#loaded.set(datasetId, known);
  }

  /** Finds out what is known of a dataset, unless that has been done. */
  async learn(datasetId: number): Promise<void> {
    await this.#of(datasetId);
  }

  /**
   * Whether all events that the engine has of a dataset lie in a range, and so do those of which
   * the insert has begun; false if that is not known.
   */
  areWithin(datasetId: number, range: Stretch): boolean {
    const extent = this.#loaded.get(datasetId)?.extent;
    return extent !== undefined && extent.start >= range.start && extent.end <= range.end;
  }

  /** A dataset is gone, and its table with it. */
  gone(datasetId: number): void {
    this.#known.delete(datasetId);
    this.#loaded.delete(datasetId);
  }

  /**
   * Drops the table, and makes none before `release`: texts of the dataset are about to change, or
   * are changing.
   */
  async hold(datasetId: number): Promise<void> {
    this.#held.add(datasetId);
    await this.#forget(datasetId);
  }

  release(datasetId: number): void {
    this.#held.delete(datasetId);
  }

  /**
   * How many events are not covered, since when the oldest of them waits, when the last one came,
   * and whether any are covered.
   */
  async state(datasetId: number): Promise<Covered> {
    const { uncovered, cameAt, upTo } = await this.#of(datasetId);
    return { rows: uncovered.rows, since: uncovered.since ?? Infinity, cameAt, exists: upTo !== undefined };
  }

  /**
   * Adds the words of all events up to a position, at and below which no batch is on its way.
   * @param goOn asked after each step
   */
  async cover(dataset: StoredDataset, upTo: bigint, goOn: () => boolean): Promise<void> {
    const known = await this.#of(dataset.id);
    const engine = this.#engine;
    const after = known.upTo ?? 0n;
    if (after >= upTo || this.#held.has(dataset.id)) return;
    await createWordTable(engine, dataset.id);
    known.adding = upTo;
    const isCurrent = async (): Promise<boolean> => (await this.#known.get(dataset.id)) === known;
    try {
      await addWords(
        engine,
        dataset,
        { after, upTo },
        {
          isValid: isCurrent,
          covered: (position) => {
            known.upTo = position;
            known.uncovered.cover(position);
            known.found = new Recent(mostFound);
            known.kept = undefined;
            return goOn();
          },
        },
      );
    } finally {
      known.adding = undefined;
    }
  }

  #of(datasetId: number): Promise<Known> {
    const present = this.#known.get(datasetId);
    if (present !== undefined) return present;
    const known = this.#load(datasetId).then(
      (loaded) => {
        if (this.#known.get(datasetId) === known) this.#loaded.set(datasetId, loaded);
        return loaded;
      },
      (error: unknown) => {
        // The next one to ask tries again.
        if (this.#known.get(datasetId) === known) this.#known.delete(datasetId);
        throw error;
      },
    );
    this.#known.set(datasetId, known);
    return known;
  }

  async #load(datasetId: number): Promise<Known> {
    const engine = this.#engine;
    const uncovered = new UncoveredEvents();
    const time = 'toUnixTimestamp64Nano';
    const [found, [[events = 0n, first = 0n, last = 0n] = []]] = await Promise.all([
      positionOfWords(engine, datasetId),
      queryNumbers(
        engine,
        `SELECT toInt64(count()), ${time}(min(_time)), ${time}(max(_time)) FROM ${quotedTable(datasetId)}`,
        3,
      ),
    ]);
    if (found === 'lost')
      this.#logger?.error(
        { datasetId },
        'words that searches go by were gone, though nobody removed them; they are made again',
      );
    const upTo = found === 'lost' ? undefined : found;
    const [[rows = 0n, position = 0n, start = 0n, end = 0n] = []] = await queryNumbers(
      engine,
      `SELECT toInt64(count()), toInt64(max(_seq)), ${time}(min(_time)), ${time}(max(_time)) ` +
        `FROM ${quotedTable(datasetId)} WHERE _seq > ${upTo ?? 0n}`,
      4,
    );
    const since = performance.now();
    if (rows > 0n) uncovered.add({ position, start, end, rows: Number(rows), since });
    const extent = events === 0n ? undefined : { start: first, end: last };
    return {
      upTo,
      adding: undefined,
      uncovered,
      extent,
      cameAt: -Infinity,
      found: new Recent(mostFound),
      kept: undefined,
      triedAt: undefined,
    };
  }
}

const both = (a: Stretch, b: Stretch): Stretch => ({
  start: a.start < b.start ? a.start : b.start,
  end: max(a.end, b.end),
});
const max = (a: bigint, b: bigint): bigint => (a > b ? a : b);
