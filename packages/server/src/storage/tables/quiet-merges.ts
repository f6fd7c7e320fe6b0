import { type Engine, EngineError } from '@millrace/engine';
import type { Logger } from 'pino';
import { failureDetail } from '../failure-detail.js';
import { runEvery } from '../../async/run-every.js';
import type { StorageLimits } from '../storage-limits.js';
import { mergePartition, startMerges, stopMerges, type Unmerged, unmergedPartitions } from './parts.js';

export interface QuietMergesDependencies {
  readonly engine: Engine;
  readonly logger: Logger;
  readonly limits: StorageLimits;
  /** Whether so much waits to be stored that merges have to wait. */
  readonly busy: () => boolean;
  /** Called after each merge, for the metrics. */
  readonly merged: (outcome: 'merged' | 'failed', seconds: number) => void;
}

/** Looks within one wait: enough that a merge begins not much later than it could. */
const looksPerWait = 4;
/**
 * The more parts there are, the longer a look takes; looking takes up at most a hundredth of the
 * time, unless looks take a second.
 */
const restsPerLook = 100;
/**
 * After this many waits there is another look even if nothing came in: a partition may have been
 * left because the engine was merging some of its parts, because of a deletion, or because the disk
 * had no room. No look keeps the next one for longer either: on a busy machine it may take seconds,
 * whatever there is to look at.
 */
const waitsPerLook = 10;

/**
 * While events come in, the engine merges parts only when there are many, see
 * `preferredTableSettings`. What it leaves is merged here, partition by partition, once a partition
 * is quiet: a query of one part opens fewer files and reads fewer granules. What to do follows from
 * the parts alone, so a new server goes on where the last one stopped.
 */
export class QuietMerges {
  readonly #deps: QuietMergesDependencies;
  readonly #stopLooking: () => Promise<void>;
  readonly #stopListening: () => void;
  /**
   * The state in which each partition was last tried: a merge that failed is not tried again until
   * the state changes.
   */
  #tried = new Map<string, string>();
  /**
   * Since when, by `performance.now()`, each partition has had what it has. Its parts do not tell:
   * a deletion makes all parts of a table anew, and where events pass their retention there is
   * one every few minutes.
   */
  #blocks = new Map<string, { readonly blocks: string; readonly since: number }>();
  #running: { readonly datasetId: number; readonly over: Promise<void> } | undefined;
  /** When there may be something to merge, by `performance.now()`. */
  #dueAt = Infinity;
  /** When to look again in any case. */
  #againAt = Infinity;
  #looking = false;
  /** There is no look before this time, by `performance.now()`. */
  #restsUntil = 0;
  /**
   * Datasets whose merges may still be stopped, because the engine has not accepted the statement
   * that starts them again.
   */
  readonly #halted = new Set<number>();
  /** Whether this pass must begin no more merges. */
  #interrupted = false;
  #stopped = false;

  constructor(deps: QuietMergesDependencies) {
    this.#deps = deps;
    this.#stopLooking = runEvery(deps.limits.mergeAfter / looksPerWait, () => this.#look());
    this.#stopListening = deps.engine.onReady(() => {
      this.#tried.clear();
      this.added();
    });
    // What an earlier server left.
    this.added();
  }

  /** Whether everything that is to be merged soon has been. */
  get done(): boolean {
    return !this.#looking && this.#dueAt > performance.now() + this.#deps.limits.mergeAfter;
  }

  /** Parts were added. */
  added(): void {
    if (this.#deps.limits.maxMergeBytes > 0) this.#dueAt = 0;
  }

  /**
   * Ends a running merge of a dataset, before work that would have to wait for it. The merge is
   * tried again after a pause that leaves time for that work.
   * @throws EngineError when the merges of the dataset may still be stopped: the work would wait
   * until they can start, which is tried again later
   */
  async interrupt(datasetId: number): Promise<void> {
    const { engine, limits } = this.#deps;
    // Replicas stop and start merges each for itself, and one that is away in between would never
    // merge again. So whoever comes waits for the merge.
    if (engine.replication !== undefined) return;
    if (this.#running?.datasetId === datasetId) {
      const { over } = this.#running;
      this.#interrupted = true;
      this.#restsUntil = performance.now() + limits.mergeAfter;
      this.#halted.add(datasetId);
      try {
        await stopMerges(engine, datasetId);
        await over;
      } finally {
        await this.#resume(datasetId);
      }
    } else if (this.#halted.has(datasetId)) await this.#resume(datasetId);
  }

  /** Lets the engine merge parts of a dataset again. */
  async #resume(datasetId: number): Promise<void> {
    try {
      await startMerges(this.#deps.engine, datasetId);
    } catch (error) {
      // The dataset was deleted meanwhile, so there is nothing to merge.
      if (!(error instanceof EngineError && error.code === 'unknown-table')) throw error;
    }
    this.#halted.delete(datasetId);
    this.#tried.clear();
    this.added();
  }

  /** Never rejects. */
  async #resumeHalted(): Promise<void> {
    for (const datasetId of this.#halted) {
      await this.#resume(datasetId).catch((error: unknown) =>
        this.#deps.logger.warn({ dataset: datasetId, err: error }, 'merges could not be started again'),
      );
    }
  }

  /** Ends the running merge and begins no more. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#stopListening();
    // An engine that does not answer merges nothing either.
    if (this.#running !== undefined) await this.interrupt(this.#running.datasetId).catch(() => undefined);
    // A merge that goes on does so without this server.
    if (this.#deps.engine.replication !== undefined) return void this.#stopLooking();
    await this.#stopLooking();
  }

  async #look(): Promise<void> {
    await this.#resumeHalted();
    const due = Math.max(Math.min(this.#dueAt, this.#againAt), this.#restsUntil);
    if (performance.now() < due || this.#deps.busy()) return;
    this.#looking = true;
    this.#interrupted = false;
    this.#dueAt = Infinity;
    try {
      const dueAt = await this.#mergeAll();
      this.#dueAt = Math.min(this.#dueAt, dueAt);
    } catch (error) {
      this.#dueAt = 0;
      throw error;
    } finally {
      this.#againAt = performance.now() + waitsPerLook * this.#deps.limits.mergeAfter;
      this.#looking = false;
    }
  }

  /** Returns when there may be something to merge again, by `performance.now()`. */
  async #mergeAll(): Promise<number> {
    const { engine, limits, busy } = this.#deps;
    const began = performance.now();
    const found = await unmergedPartitions(engine, limits.maxMergeBytes);
    const looked = performance.now();
    this.#restsUntil = looked + Math.min(restsPerLook * (looked - began), waitsPerLook * limits.mergeAfter);
    const tried = this.#tried;
    this.#tried = new Map(found.map((one) => [keyOf(one), tried.get(keyOf(one)) ?? '']));
    const before = this.#blocks;
    this.#blocks = new Map(
      found.map((one) => {
        const known = before.get(keyOf(one));
        const now = { blocks: one.blocks, since: looked - one.age * 1000 };
        return [keyOf(one), known?.blocks === now.blocks && known.since < now.since ? known : now];
      }),
    );
    let dueAt = Infinity;
    for (const one of found) {
      if (this.#tried.get(keyOf(one)) === one.state) continue;
      const wait = Math.max(limits.mergeAfter, one.rest * 1000) - (looked - this.#blocks.get(keyOf(one))!.since);
      if (wait > 0) {
        dueAt = Math.min(dueAt, looked + wait);
        continue;
      }
      if (this.#stopped || this.#interrupted || busy()) return 0;
      this.#tried.set(keyOf(one), one.state);
      const over = this.#merge(one);
      this.#running = { datasetId: one.datasetId, over };
      await over;
      this.#running = undefined;
    }
    return dueAt;
  }

  /** Never rejects. */
  async #merge(one: Unmerged): Promise<void> {
    const { engine, logger, merged } = this.#deps;
    const started = performance.now();
    const seconds = (): number => (performance.now() - started) / 1000;
    try {
      await mergePartition(engine, one);
      merged('merged', seconds());
    } catch (error) {
      merged('failed', seconds());
      // Includes merges that were interrupted, or whose partition or dataset was removed meanwhile.
      logger.debug({ dataset: one.datasetId, ...failureDetail(error) }, 'a merge did not come to its end');
    }
  }
}

const keyOf = ({ datasetId, partition }: Unmerged): string => `${datasetId} ${partition}`;
