import { type Engine, EngineError } from '@millrace/engine';
import type { WordSets } from '@millrace/sql';
import type { Logger } from 'pino';
import { LruCache } from '@millrace/runtime/memory/lru-cache';
import type { StoredDataset } from '../fields/dataset.js';
import type { Batch } from '../insert/queue.js';
import { stretchOf } from '../insert/time-range.js';
import { queryNumbers } from '../tables/query.js';
import { quotedTable } from '../tables/table-of-dataset.js';
import { addWords } from './add-terms.js';
import { type TermLookup, lookUpWords } from './term-lookup.js';
import { bytesOf, type MemoryTermIndex, keptSpansWith, readWords } from './memory-index.js';
import type { TimeSpan } from './time-spans.js';
import { isSelective, lengthOf } from './selectivity.js';
import { UncoveredEvents } from './unindexed-rows.js';
import {
  createWordTable,
  dropWordTable,
  numbersOfWords,
  type Occurrence,
  positionOfWords,
  spansWith,
  unite,
} from './term-table.js';

/** State of a dataset's term index. */
interface IndexState {
  /**
   * The table has the terms of all events up to this position of the log; undefined if there is no
   * table.
   */
  upTo: bigint | undefined;
  /** Up to which position terms are being added now. */
  adding: bigint | undefined;
  readonly uncovered: UncoveredEvents;
  /** From the oldest event to the newest; may include deleted ones. */
  extent: TimeSpan | undefined;
  /** Time of the last insert, by `performance.now()`. */
  cameAt: number;
  /** Lookups since the table last grew. */
  found: LruCache<string, FoundSpans | 'unknown'>;
  /** The table's rows, if they are in memory. */
  memory: MemoryTermIndex | undefined;
  /** The table's position when it was last tried to load into memory. */
  triedAt: bigint | undefined;
}

interface FoundSpans {
  /** The spans of each set; one of all times if there are too many to read only these. */
  readonly spans: readonly (readonly Occurrence[])[];
  readonly isEverywhere: boolean;
}

interface IndexCoverage {
  readonly rows: number;
  readonly since: number;
  readonly cameAt: number;
  readonly exists: boolean;
}

/** Rows assumed for a dataset that has to be read again: enough to be worth it. */
const manyRows = 2 ** 31;
/** Cached searches per dataset. */
const maxLookups = 256;
/**
 * A time restriction costs a comparison for each event; it has to exclude at least this share of
 * them: all but one in this many.
 */
const minSaved = 2n;

/**
 * The term index: at which times events with certain terms can be, so that a search for a rare term
 * reads little. Events are covered by their position in the log: up to one position the terms of
 * all events are in the table, and the times of later batches are known. Rewriting rows does not
 * affect it: added, moved or dropped columns, merges and deletions.
 */
export class WordIndex {
  readonly #engine: Engine;
  readonly #memoryBytes: number;
  readonly #logger: Pick<Logger, 'error'> | undefined;
  readonly #states = new Map<number, Promise<IndexState>>();
  /** The states that are already loaded. */
  readonly #loadedStates = new Map<number, IndexState>();
  /** Datasets whose texts are changing. */
  readonly #locks = new Set<number>();

  /**
   * @param memoryBytes maximum memory for the terms of all datasets
   * @param logger gets an error for each dataset that has lost terms
   */
  constructor(engine: Engine, memoryBytes = 0, logger?: Pick<Logger, 'error'>) {
    this.#engine = engine;
    this.#memoryBytes = memoryBytes;
    this.#logger = logger;
  }

  /**
   * Registers batches before their insert. If one comes after later positions are covered, for
   * example after a quarantine, the table is wrong and is rebuilt.
   */
  async before(dataset: StoredDataset, batches: readonly Batch[]): Promise<void> {
    let known = await this.#of(dataset.id);
    const coveredUpTo = (): bigint => max(known.upTo ?? 0n, known.adding ?? 0n);
    if (batches.some(({ position }) => position <= coveredUpTo())) {
      await this.#forget(dataset.id);
      known = await this.#of(dataset.id);
    }
    const since = performance.now();
    for (const { position, block } of batches) {
      const stretch = stretchOf(block);
      known.uncovered.add({ position, ...stretch, rows: block.rows, since });
      known.extent = known.extent === undefined ? stretch : unionSpans(known.extent, stretch);
    }
    known.cameAt = since;
  }

  /**
   * Where events with the terms of one of the sets can be; undefined if neither times nor columns
   * narrow the search.
   */
  async find(datasetId: number, sets: WordSets): Promise<TermLookup | undefined> {
    const known = await this.#of(datasetId);
    if (known.upTo === undefined) return undefined;
    // Taken now: an event that is inserted during the query need not be found, and one covered
    // during it is found twice.
    const uncovered = known.uncovered.stretches;
    const { found } = known;
    const key = JSON.stringify(sets);
    const before = found.get(key);
    const occurrences = before ?? (await this.#look(datasetId, sets, known));
    if (before === undefined) found.set(key, occurrences);
    if (occurrences === 'unknown') return undefined;
    const { spans, isEverywhere } = occurrences;
    const all = lookUpWords(sets, spans, uncovered);
    if (!isEverywhere && isSelective(all.stretches, known.extent)) return all;
    // Events that are not indexed may have the terms in any column.
    return uncovered.length > 0 ? undefined : { ...all, stretches: 'everywhere' };
  }

  async #look(datasetId: number, sets: WordSets, { memory, extent }: IndexState): Promise<FoundSpans | 'unknown'> {
    const ofSet = async (words: readonly string[]): Promise<readonly Occurrence[]> => {
      const numbers = await numbersOfWords(this.#engine, words);
      return memory === undefined ? spansWith(this.#engine, datasetId, numbers) : keptSpansWith(memory, numbers);
    };
    try {
      const spans: (readonly Occurrence[])[] = [];
      for (const words of sets) spans.push(await ofSet(words));
      const { stretches } = lookUpWords(sets, spans, []);
      const isLong = extent === undefined || lengthOf(stretches) * minSaved > lengthOf([extent]);
      const isEverywhere = stretches.length > 0 && (isLong || !isSelective(stretches, extent));
      return { spans: isEverywhere ? spans.map(unite) : spans, isEverywhere };
    } catch (error) {
      // The table is being rebuilt.
      if (error instanceof EngineError && error.code === 'unknown-table') return 'unknown';
      throw error;
    }
  }

  /** Loads the terms of a dataset into memory, unless they are there or exceed the limit. */
  async keep(datasetId: number): Promise<void> {
    const known = await this.#of(datasetId);
    const { upTo, memory, triedAt } = known;
    if (upTo === undefined || memory !== undefined || triedAt === upTo) return;
    known.triedAt = upTo;
    const others = [...this.#loadedStates.values()].reduce(
      (sum, one) => sum + (one.memory ? bytesOf(one.memory) : 0),
      0,
    );
    const read = await readWords(this.#engine, datasetId, this.#memoryBytes - others);
    // Terms added in between are not among them.
    if (known.upTo === upTo && known.adding === undefined && this.#loadedStates.get(datasetId) === known)
      known.memory = read;
  }

  /**
   * Drops the table: all events have to be read again. The known times of events stay, as an insert
   * may be in flight.
   */
  async #forget(datasetId: number): Promise<void> {
    const { upTo, uncovered, extent, cameAt } = await this.#of(datasetId);
    await dropWordTable(this.#engine, datasetId);
    if (upTo !== undefined && extent !== undefined)
      uncovered.add({ position: upTo, ...extent, rows: manyRows, since: performance.now() });
    const known: IndexState = {
      upTo: undefined,
      adding: undefined,
      uncovered,
      extent,
      cameAt,
      found: new LruCache(maxLookups),
      memory: undefined,
      triedAt: undefined,
    };
    this.#states.set(datasetId, Promise.resolve(known));
    this.#loadedStates.set(datasetId, known);
  }

  /** Loads the state of a dataset, unless it is loaded. */
  async learn(datasetId: number): Promise<void> {
    await this.#of(datasetId);
  }

  /**
   * Whether all events of a dataset lie in a range, including those of inserts in flight; false if
   * that is unknown.
   */
  areWithin(datasetId: number, range: TimeSpan): boolean {
    const extent = this.#loadedStates.get(datasetId)?.extent;
    return extent !== undefined && extent.start >= range.start && extent.end <= range.end;
  }

  /** A dataset is deleted, and its table with it. */
  deleteDataset(datasetId: number): void {
    this.#states.delete(datasetId);
    this.#loadedStates.delete(datasetId);
  }

  /**
   * Drops the table, and prevents a new one until `release`: texts of the dataset are about to
   * change.
   */
  async lock(datasetId: number): Promise<void> {
    this.#locks.add(datasetId);
    await this.#forget(datasetId);
  }

  release(datasetId: number): void {
    this.#locks.delete(datasetId);
  }

  /**
   * Number of unindexed events, the time of the oldest, the time of the last event, and whether an
   * index exists.
   */
  async state(datasetId: number): Promise<IndexCoverage> {
    const { uncovered, cameAt, upTo } = await this.#of(datasetId);
    return { rows: uncovered.rows, since: uncovered.since ?? Infinity, cameAt, exists: upTo !== undefined };
  }

  /**
   * Adds the terms of all events up to a position, at and below which no batch is in flight.
   * @param goOn called after each step
   */
  async cover(dataset: StoredDataset, upTo: bigint, goOn: () => boolean): Promise<void> {
    const known = await this.#of(dataset.id);
    const engine = this.#engine;
    const after = known.upTo ?? 0n;
    if (after >= upTo || this.#locks.has(dataset.id)) return;
    await createWordTable(engine, dataset.id);
    known.adding = upTo;
    const isCurrent = async (): Promise<boolean> => (await this.#states.get(dataset.id)) === known;
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
            known.found = new LruCache(maxLookups);
            known.memory = undefined;
            return goOn();
          },
        },
      );
    } finally {
      known.adding = undefined;
    }
  }

  #of(datasetId: number): Promise<IndexState> {
    const present = this.#states.get(datasetId);
    if (present !== undefined) return present;
    const known = this.#load(datasetId).then(
      (loaded) => {
        if (this.#states.get(datasetId) === known) this.#loadedStates.set(datasetId, loaded);
        return loaded;
      },
      (error: unknown) => {
        // The next call tries again.
        if (this.#states.get(datasetId) === known) this.#states.delete(datasetId);
        throw error;
      },
    );
    this.#states.set(datasetId, known);
    return known;
  }

  async #load(datasetId: number): Promise<IndexState> {
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
    if (found === 'lost') this.#logger?.error({ datasetId }, 'a part of the term index was missing; it is rebuilt');
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
      found: new LruCache(maxLookups),
      memory: undefined,
      triedAt: undefined,
    };
  }
}

const unionSpans = (a: TimeSpan, b: TimeSpan): TimeSpan => ({
  start: a.start < b.start ? a.start : b.start,
  end: max(a.end, b.end),
});
const max = (a: bigint, b: bigint): bigint => (a > b ? a : b);
