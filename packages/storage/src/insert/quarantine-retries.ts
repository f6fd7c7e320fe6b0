import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { failureDetail } from '../failure-detail.js';
import type { StoredDataset } from '../fields/dataset.js';
import { memoryOf, readFrame } from '../frame.js';
import { Backlog } from './backlog.js';
import { classifyInsertError } from './classify-error.js';
import type { Flusher } from './flusher.js';
import { makeColumns } from './insert-group.js';
import type { InserterDependencies } from './failed-inserts.js';
import { Inserter } from './inserter.js';
import type { Queue } from './queue.js';
import { batchesWithRows } from '../tables/rows-of-batches.js';

interface RefusedRetriesDependencies extends Omit<InserterDependencies, 'backlog'> {
  readonly logger: Logger;
  readonly flusher: Pick<Flusher, 'runExclusively'>;
  readonly datasets: ReadonlyMap<number, StoredDataset>;
}

/**
 * Maximum batches of a dataset per step. Deletions of the dataset wait for the step, and its
 * batches are all in memory. Each rejected batch takes a separate insert, and a query for its
 * stored rows.
 */
const atOnce = 16;
/**
 * Before each step, such as an insert, there is a pause this many times as long as the last step
 * took, for other inserts of the dataset: if the engine still rejects ten thousand batches, trying
 * them takes minutes.
 */
const restsPerStep = 4;
/** A pause ends automatically after half a day: its caller is gone. */
const longestPause = 12 * 3_600_000;

/**
 * Retries the batches quarantined before the start, in the background: a few at a time, newest
 * first, datasets in turn. During a step, deletions of its dataset wait; inserts wait for one step
 * at most. All other quarantined batches stay so, and do not delay reads.
 */
export class QuarantineRetries {
  readonly #deps: RefusedRetriesDependencies;
  /** The batches being inserted. */
  readonly #backlog = new Backlog();
  readonly #inserter: Inserter;
  readonly #stopController = new AbortController();
  #over: Promise<void> = Promise.resolve();
  #currentRetry: Promise<unknown> = Promise.resolve();
  /** Aborted during a pause, and after a stop. */
  #pause = new AbortController();
  /** Timers that end pauses whose caller does not. */
  readonly #pauses = new Map<string, NodeJS.Timeout>();
  /** Duration of the last step. */
  #tookMilliseconds = 0;

  constructor(deps: RefusedRetriesDependencies) {
    this.#deps = deps;
    this.#inserter = new Inserter({ ...deps, backlog: this.#backlog });
  }

  /**
   * Starts retrying, after finding the batches with rows in the engine: the last server may have
   * ended during a try. Batches quarantined from now on are left to the next start.
   * @throws EngineError when the engine cannot be queried
   */
  async start(): Promise<void> {
    const { engine, datasets, partialBatches } = this.#deps;
    const left = new Map<number, bigint[]>();
    for (const { datasetId, position } of this.#deps.quarantine.list()) {
      const positions = left.get(datasetId) ?? [];
      left.set(datasetId, positions);
      positions.push(position);
    }
    for (const [datasetId, positions] of left) {
      positions.sort(byPosition);
      if (datasets.has(datasetId)) partialBatches.add(datasetId, await batchesWithRows(engine, datasetId, positions));
    }
    this.#over = this.#run(left);
  }

  /** Resolves when all have been tried. */
  get over(): Promise<void> {
    return this.#over;
  }

  /**
   * Pauses retries until `resume` has been called for every pause; resolves when no batch is being
   * tried any more.
   * @returns a unique name for this pause, even across restarts
   */
  async pause(): Promise<string> {
    const name = randomUUID();
    this.#pauses.set(name, setTimeout(() => this.resume(name), longestPause).unref());
    this.#pause.abort();
    await this.#currentRetry;
    return name;
  }

  /** Ends a pause. Does nothing if it has ended already. */
  resume(name: string): void {
    clearTimeout(this.#pauses.get(name));
    if (this.#pauses.delete(name) && this.#pauses.size === 0 && !this.#stopController.signal.aborted)
      this.#pause = new AbortController();
  }

  /**
   * Stops retrying; the rest is tried after the next start. Resolves when no batch is being tried
   * any more.
   */
  async stop(): Promise<void> {
    this.#stopController.abort();
    this.#pause.abort();
    await this.#currentRetry;
  }

  /** @param left positions of each dataset, in order */
  async #run(left: Map<number, bigint[]>): Promise<void> {
    while (left.size > 0) {
      for (const [datasetId, positions] of left) {
        const dataset = this.#deps.datasets.get(datasetId);
        const few = dataset === undefined ? positions.splice(0) : this.#take(datasetId, positions);
        if (dataset !== undefined && !(await this.#try(dataset, few))) {
          positions.unshift(...few);
          await rest(10 * this.#deps.limits.retryMilliseconds, this.#stopController.signal);
        }
        if (positions.length === 0) left.delete(datasetId);
        if (this.#stopController.signal.aborted) return;
      }
    }
  }

  /**
   * Takes the batches of the next try out of a list of positions: the last ones, or those of an
   * insert that may be in flight.
   */
  #take(datasetId: number, positions: bigint[]): readonly bigint[] {
    const pinned = this.#deps.pins?.of(datasetId)?.positions;
    if (pinned?.every((position) => positions.includes(position)) !== true)
      return positions.splice(-this.#countFitting(positions));
    positions.splice(0, Infinity, ...positions.filter((position) => !pinned.includes(position)));
    return pinned;
  }

  /** How many of the last positions are tried next: they are all in memory. */
  #countFitting(positions: readonly bigint[]): number {
    const bytes = new Map(this.#deps.quarantine.list().map((batch) => [batch.position, batch.bytes]));
    let count = 0;
    let total = 0;
    for (const position of positions.toReversed()) {
      total += bytes.get(position) ?? 0;
      if (count > 0 && (count === atOnce || total > this.#deps.limits.insertBytes)) break;
      count++;
    }
    return count;
  }

  /**
   * Whether the engine now has each of the batches, or has rejected it again. Never rejects.
   * Deletions wait: they would have to know which of the batches the engine has.
   */
  #try(dataset: StoredDataset, positions: readonly bigint[]): Promise<boolean> {
    return dataset.deletions.run(() => {
      // It may have been queued for long.
      if (!this.#mayTry(dataset)) return Promise.resolve(false);
      const running = this.#tryNow(dataset, positions);
      this.#currentRetry = running;
      return running;
    });
  }

  async #tryNow(dataset: StoredDataset, positions: readonly bigint[]): Promise<boolean> {
    const { quarantine, partialBatches, logger } = this.#deps;
    partialBatches.add(dataset.id, positions);
    try {
      const queue = await this.#load(dataset, positions);
      await this.#step(dataset, () => this.#learn(queue));
      while (queue.batches.length > 0 && this.#mayTry(dataset))
        await this.#step(dataset, () => this.#inserter.next(queue));
      return queue.batches.length === 0;
    } catch (error) {
      // The dataset may have been deleted in the meantime.
      if (this.#mayTry(dataset))
        logger.warn(
          { dataset: dataset.id, batches: positions.length, ...failureDetail(error) },
          'could not retry quarantined batches; retrying later',
        );
      return false;
    } finally {
      this.#backlog.forget(dataset.id);
      // A repeated rejection has already recorded which rows the engine has.
      const stored = positions.filter((position) => !quarantine.has(position));
      partialBatches.remove(dataset.id, stored);
      dataset.invalidate();
    }
  }

  /** Does one step while no other insert of the dataset runs, after a pause for other inserts. */
  async #step(dataset: StoredDataset, work: () => Promise<void>): Promise<void> {
    await rest(restsPerStep * this.#tookMilliseconds, this.#pause.signal);
    if (!this.#mayTry(dataset)) return;
    await this.#deps.flusher.runExclusively(dataset, async () => {
      const began = performance.now();
      await work().finally(() => (this.#tookMilliseconds = performance.now() - began));
    });
  }

  #mayTry({ id }: StoredDataset): boolean {
    return this.#deps.datasets.has(id) && !this.#pause.signal.aborted;
  }

  /**
   * Creates the columns of the batches before their fields are registered, because a query may name
   * registered fields. For other batches the flush before a query does that, but no query waits for
   * these: a vacuum may have removed the fields, or a restore left them out.
   */
  async #learn({ dataset, batches }: Queue): Promise<void> {
    const columns = new Map(batches.flatMap(({ block }) => block.columns.map((column) => [column.name, column])));
    try {
      await makeColumns(this.#deps.engine, dataset, batches, [...columns.values()]);
    } catch (error) {
      // A failure caused by one of these batches is found when each is inserted alone.
      if (classifyInsertError(error) === 'engine') throw error;
    }
    for (const { block } of batches) dataset.learnAgain(block);
  }

  async #load(dataset: StoredDataset, positions: readonly bigint[]): Promise<Queue> {
    const { quarantine } = this.#deps;
    const kept = new Map(quarantine.list().map((batch) => [batch.position, batch]));
    const queue = this.#backlog.open(dataset);
    // The inserter compares everything between the first and the last. Batches of a failed try may
    // come with older ones the next time.
    for (const position of positions.toSorted(byPosition)) {
      const batch = kept.get(position);
      const payload = batch && (await quarantine.payload(position));
      // All its events were trimmed in the meantime, or its dataset was deleted.
      if (batch === undefined) continue;
      if (payload === undefined) {
        // Removed by a statement that was reported as failed.
        await quarantine.remove(position);
        continue;
      }
      // The idempotency key is left out: its response has been in the metadata since the
      // quarantine, with its own expiry.
      const { block, arrival } = readFrame(payload);
      this.#backlog.add(dataset, {
        position,
        arrival,
        block,
        bytes: memoryOf(block, payload.byteLength),
        ...(batch.notBefore !== undefined && { notBefore: batch.notBefore }),
      });
    }
    // The engine may have any of them, completely or in part.
    queue.failed.addUnsure(queue.batches);
    return queue;
  }
}

async function rest(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal, ref: false }).catch(() => undefined);
}

const byPosition = (a: bigint, b: bigint): number => (a < b ? -1 : 1);
