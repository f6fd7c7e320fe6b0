import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { failureDetail } from '../failure-detail.js';
import type { StoredDataset } from '../fields/dataset.js';
import { memoryOf, readFrame } from '../frame.js';
import { Backlog } from './backlog.js';
import { blameOf } from './blame.js';
import type { Flusher } from './flusher.js';
import { makeColumns } from './insert-group.js';
import type { InserterDependencies } from './failed-inserts.js';
import { Inserter } from './inserter.js';
import type { Queue } from './queue.js';
import { batchesWithRows } from '../tables/rows-of-batches.js';

interface RefusedRetriesDependencies extends Omit<InserterDependencies, 'backlog'> {
  readonly logger: Logger;
  readonly flusher: Pick<Flusher, 'exclusively'>;
  readonly datasets: ReadonlyMap<number, StoredDataset>;
}

/**
 * At most this many batches of a dataset are tried at a time. Until all of them have been tried,
 * deletions of the dataset wait, and all are held in memory. Each that the engine refuses takes an
 * insert of its own, and a question about what became of it.
 */
const atOnce = 16;
/**
 * Before each step, such as an insert, there is a pause this many times as long as the last step
 * took, so that the other inserts of the dataset have their turn: if the engine still refuses ten
 * thousand batches, trying them takes minutes.
 */
const restsPerStep = 4;
/** A pause ends by itself after half a day: whoever asked for it is gone. */
const longestPause = 12 * 3_600_000;

/**
 * Tries the batches that the engine refused before the start once more, in the background: a few at
 * a time, the newest first, the datasets in turn. While a few are tried, deletions of their dataset
 * wait; inserts wait for one step at most. All other refused batches stay refused and kept, so that
 * nobody has to wait for them.
 */
export class RefusedRetries {
  readonly #deps: RefusedRetriesDependencies;
  /** What is being inserted. */
  readonly #backlog = new Backlog();
  readonly #inserter: Inserter;
  readonly #stopping = new AbortController();
  #over: Promise<void> = Promise.resolve();
  #running: Promise<unknown> = Promise.resolve();
  /** Aborted while nothing may be tried: during a pause, and after a stop. */
  #pause = new AbortController();
  /** What ends each pause if nobody else does. */
  readonly #pauses = new Map<string, NodeJS.Timeout>();
  /** How long the last step took. */
  #tookMilliseconds = 0;

  constructor(deps: RefusedRetriesDependencies) {
    this.#deps = deps;
    this.#inserter = new Inserter({ ...deps, backlog: this.#backlog });
  }

  /**
   * Begins, once it is known of which the engine has a part: the last server may have ended during
   * a try. Those that are refused from now on are left to the next start.
   * @throws EngineError when the engine cannot be asked
   */
  async start(): Promise<void> {
    const { engine, datasets, partlyIn } = this.#deps;
    const left = new Map<number, bigint[]>();
    for (const { datasetId, position } of this.#deps.refused.list()) {
      const positions = left.get(datasetId) ?? [];
      left.set(datasetId, positions);
      positions.push(position);
    }
    for (const [datasetId, positions] of left) {
      positions.sort(byPosition);
      if (datasets.has(datasetId)) partlyIn.add(datasetId, await batchesWithRows(engine, datasetId, positions));
    }
    this.#over = this.#run(left);
  }

  /** Resolves when all have been tried. */
  get over(): Promise<void> {
    return this.#over;
  }

  /**
   * Lets nothing be tried until `resume` has been called for every pause; resolves when nothing is
   * being tried any more.
   * @returns a name for this pause, which no other has, not even after a restart
   */
  async pause(): Promise<string> {
    const name = randomUUID();
    this.#pauses.set(name, setTimeout(() => this.resume(name), longestPause).unref());
    this.#pause.abort();
    await this.#running;
    return name;
  }

  /** Ends a pause. Does nothing if it has ended already. */
  resume(name: string): void {
    clearTimeout(this.#pauses.get(name));
    if (this.#pauses.delete(name) && this.#pauses.size === 0 && !this.#stopping.signal.aborted)
      this.#pause = new AbortController();
  }

  /**
   * Ends it; what is left is tried after the next start. Resolves when nothing is being tried any
   * more.
   */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#pause.abort();
    await this.#running;
  }

  /** @param left positions of each dataset, in order */
  async #run(left: Map<number, bigint[]>): Promise<void> {
    while (left.size > 0) {
      for (const [datasetId, positions] of left) {
        const dataset = this.#deps.datasets.get(datasetId);
        const few = dataset === undefined ? positions.splice(0) : this.#take(datasetId, positions);
        if (dataset !== undefined && !(await this.#try(dataset, few))) {
          positions.unshift(...few);
          await rest(10 * this.#deps.limits.retryMilliseconds, this.#stopping.signal);
        }
        if (positions.length === 0) left.delete(datasetId);
        if (this.#stopping.signal.aborted) return;
      }
    }
  }

  /**
   * Takes those that are tried next out of a list of positions: the last ones, or those of an
   * insert that may be under way.
   */
  #take(datasetId: number, positions: bigint[]): readonly bigint[] {
    const pinned = this.#deps.pins?.of(datasetId)?.positions;
    if (pinned?.every((position) => positions.includes(position)) !== true)
      return positions.splice(-this.#fitting(positions));
    positions.splice(0, Infinity, ...positions.filter((position) => !pinned.includes(position)));
    return pinned;
  }

  /** How many of the last positions are tried next: they are all held in memory. */
  #fitting(positions: readonly bigint[]): number {
    const bytes = new Map(this.#deps.refused.list().map((batch) => [batch.position, batch.bytes]));
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
   * Whether the engine now has each of the batches, or has refused it again. Never rejects. No
   * deletion runs meanwhile: it would have to know which of the batches the engine has.
   */
  #try(dataset: StoredDataset, positions: readonly bigint[]): Promise<boolean> {
    return dataset.deletions.run(() => {
      // It may have waited long for its turn.
      if (!this.#mayTry(dataset)) return Promise.resolve(false);
      const running = this.#tryNow(dataset, positions);
      this.#running = running;
      return running;
    });
  }

  async #tryNow(dataset: StoredDataset, positions: readonly bigint[]): Promise<boolean> {
    const { refused, partlyIn, logger } = this.#deps;
    partlyIn.add(dataset.id, positions);
    try {
      const queue = await this.#load(dataset, positions);
      await this.#step(dataset, () => this.#learn(queue));
      while (queue.batches.length > 0 && this.#mayTry(dataset))
        await this.#step(dataset, () => this.#inserter.next(queue));
      return queue.batches.length === 0;
    } catch (error) {
      // The dataset may have been deleted meanwhile.
      if (this.#mayTry(dataset))
        logger.warn(
          { dataset: dataset.id, batches: positions.length, ...failureDetail(error) },
          'batches that were refused earlier could not be tried again; that is done later',
        );
      return false;
    } finally {
      this.#backlog.forget(dataset.id);
      // Whoever refused one again has noted what the engine has of it.
      const stored = positions.filter((position) => !refused.has(position));
      partlyIn.remove(dataset.id, stored);
      dataset.changed();
    }
  }

  /**
   * Does one step while nothing else of the dataset is inserted, after a pause in which other
   * inserts have their turn.
   */
  async #step(dataset: StoredDataset, work: () => Promise<void>): Promise<void> {
    await rest(restsPerStep * this.#tookMilliseconds, this.#pause.signal);
    if (!this.#mayTry(dataset)) return;
    await this.#deps.flusher.exclusively(dataset, async () => {
      const began = performance.now();
      await work().finally(() => (this.#tookMilliseconds = performance.now() - began));
    });
  }

  #mayTry({ id }: StoredDataset): boolean {
    return this.#deps.datasets.has(id) && !this.#pause.signal.aborted;
  }

  /**
   * Queries name the fields that are known. Nobody waits for these batches, as for others by a
   * flush that makes the columns, so the table has them first: a vacuum may have removed the
   * fields, or a restore left them out.
   */
  async #learn({ dataset, batches }: Queue): Promise<void> {
    const columns = new Map(batches.flatMap(({ block }) => block.columns.map((column) => [column.name, column])));
    try {
      await makeColumns(this.#deps.engine, dataset, batches, [...columns.values()]);
    } catch (error) {
      // What a batch of these is to blame for is found when each is inserted alone.
      if (blameOf(error) === 'engine') throw error;
    }
    for (const { block } of batches) dataset.learnAgain(block);
  }

  async #load(dataset: StoredDataset, positions: readonly bigint[]): Promise<Queue> {
    const { refused } = this.#deps;
    const kept = new Map(refused.list().map((batch) => [batch.position, batch]));
    const queue = this.#backlog.open(dataset);
    // The inserter asks the engine about everything between the first and the last. Batches of a
    // failed try may come with older ones the next time.
    for (const position of positions.toSorted(byPosition)) {
      const batch = kept.get(position);
      const payload = batch && (await refused.payload(position));
      // All its events were trimmed meanwhile, or its dataset was deleted.
      if (batch === undefined) continue;
      if (payload === undefined) {
        // Removed by a statement that was reported as failed.
        await refused.remove(position);
        continue;
      }
      // The idempotency key is left out: its answer has been in the metadata since the batch was
      // refused, and is to expire in its own time.
      const { block, arrival } = readFrame(payload);
      this.#backlog.add(dataset, {
        position,
        arrival,
        block,
        bytes: memoryOf(block, payload.byteLength),
        ...(batch.notBefore !== undefined && { notBefore: batch.notBefore }),
      });
    }
    // The engine may have any of them, wholly or in part.
    queue.failed.addUnsure(queue.batches);
    return queue;
  }
}

async function rest(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal, ref: false }).catch(() => undefined);
}

const byPosition = (a: bigint, b: bigint): number => (a < b ? -1 : 1);
