import { type Engine, EngineError } from '@millrace/engine';
import type { Logger } from 'pino';
import { failureDetail } from '../failure-detail.js';
import { runEvery } from '@millrace/runtime/async/run-every';
import type { StorageLimits } from '../storage-limits.js';
import { mergePartition, startMerges, stopMerges, type UnmergedPartition, unmergedPartitions } from './parts.js';

export interface QuietMergesDependencies {
  readonly engine: Engine;
  readonly logger: Logger;
  readonly limits: StorageLimits;
  /** Whether the backlog is so large that merges have to wait. */
  readonly busy: () => boolean;
  /** Called after each merge, for the metrics. */
  readonly merged: (outcome: 'merged' | 'failed', seconds: number) => void;
}

/** Checks per wait: enough that a merge begins not much later than it could. */
const looksPerWait = 4;
/**
 * The more parts there are, the longer a check takes; checks take up at most a hundredth of the
 * time, unless one takes a second.
 */
const restsPerLook = 100;
/**
 * After this many waits there is another check even without inserts: a partition may have been left
 * because the engine was merging some of its parts, because of a deletion, or because the disk was
 * full. It also bounds the delay by a slow check: on a busy machine one may take seconds.
 */
const waitsPerLook = 10;

/**
 * During ingest the engine merges parts only when there are many, see `preferredTableSettings`. The
 * rest is merged here, partition by partition, once a partition is idle: a query of one part opens
 * fewer files and reads fewer granules. The work follows from the parts alone, so a new server
 * continues where the last one stopped.
 */
export class IdleMerges {
  readonly #deps: QuietMergesDependencies;
  readonly #stopTimer: () => Promise<void>;
  readonly #stopListening: () => void;
  /**
   * The state in which each partition was last tried: a failed merge is not retried until the state
   * changes.
   */
  #triedStates = new Map<string, string>();
  /**
   * When the rows of each partition last changed, by `performance.now()`. Its parts do not show
   * that: a deletion rewrites all parts of a table, and with retention there is one every few
   * minutes.
   */
  #blocks = new Map<string, { readonly blocks: string; readonly since: number }>();
  #currentMerge: { readonly datasetId: number; readonly over: Promise<void> } | undefined;
  /** Next possible merge, by `performance.now()`. */
  #dueAt = Infinity;
  /** Time of the next unconditional check. */
  #againAt = Infinity;
  #isChecking = false;
  /** There is no check before this time, by `performance.now()`. */
  #restsUntil = 0;
  /**
   * Datasets whose merges may still be stopped, because the engine has not accepted the statement
   * that restarts them.
   */
  readonly #haltedDatasets = new Set<number>();
  /** Whether this pass must begin no more merges. */
  #isInterrupted = false;
  #isStopped = false;

  constructor(deps: QuietMergesDependencies) {
    this.#deps = deps;
    this.#stopTimer = runEvery(deps.limits.mergeAfter / looksPerWait, () => this.#check());
    this.#stopListening = deps.engine.onReady(() => {
      this.#triedStates.clear();
      this.add();
    });
    // For parts left by an earlier server.
    this.add();
  }

  /** Whether all merges due soon are done. */
  get done(): boolean {
    return !this.#isChecking && this.#dueAt > performance.now() + this.#deps.limits.mergeAfter;
  }

  /** Parts were added. */
  add(): void {
    if (this.#deps.limits.maxMergeBytes > 0) this.#dueAt = 0;
  }

  /**
   * Ends a running merge of a dataset, before work that would have to wait for it. The merge is
   * retried after a pause that leaves time for that work.
   * @throws EngineError when the merges of the dataset may still be stopped: the work would wait
   * until they can start, which is retried later
   */
  async interrupt(datasetId: number): Promise<void> {
    const { engine, limits } = this.#deps;
    // Each replica stops and starts merges separately, and one that is unreachable in between would
    // never merge again. So the caller waits for the merge.
    if (engine.replication !== undefined) return;
    if (this.#currentMerge?.datasetId === datasetId) {
      const { over } = this.#currentMerge;
      this.#isInterrupted = true;
      this.#restsUntil = performance.now() + limits.mergeAfter;
      this.#haltedDatasets.add(datasetId);
      try {
        await stopMerges(engine, datasetId);
        await over;
      } finally {
        await this.#resume(datasetId);
      }
    } else if (this.#haltedDatasets.has(datasetId)) await this.#resume(datasetId);
  }

  /** Lets the engine merge parts of a dataset again. */
  async #resume(datasetId: number): Promise<void> {
    try {
      await startMerges(this.#deps.engine, datasetId);
    } catch (error) {
      // The dataset was deleted in the meantime, so there is nothing to merge.
      if (!(error instanceof EngineError && error.code === 'unknown-table')) throw error;
    }
    this.#haltedDatasets.delete(datasetId);
    this.#triedStates.clear();
    this.add();
  }

  /** Never rejects. */
  async #resumeHalted(): Promise<void> {
    for (const datasetId of this.#haltedDatasets) {
      await this.#resume(datasetId).catch((error: unknown) =>
        this.#deps.logger.warn({ dataset: datasetId, err: error }, 'could not restart merges'),
      );
    }
  }

  /** Ends the running merge and begins no more. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#stopListening();
    // An engine that does not respond merges nothing either.
    if (this.#currentMerge !== undefined) await this.interrupt(this.#currentMerge.datasetId).catch(() => undefined);
    // On replicas the merge continues without this server.
    if (this.#deps.engine.replication !== undefined) return void this.#stopTimer();
    await this.#stopTimer();
  }

  async #check(): Promise<void> {
    await this.#resumeHalted();
    const due = Math.max(Math.min(this.#dueAt, this.#againAt), this.#restsUntil);
    if (performance.now() < due || this.#deps.busy()) return;
    this.#isChecking = true;
    this.#isInterrupted = false;
    this.#dueAt = Infinity;
    try {
      const dueAt = await this.#mergeAll();
      this.#dueAt = Math.min(this.#dueAt, dueAt);
    } catch (error) {
      this.#dueAt = 0;
      throw error;
    } finally {
      this.#againAt = performance.now() + waitsPerLook * this.#deps.limits.mergeAfter;
      this.#isChecking = false;
    }
  }

  /** Returns the time of the next possible merge, by `performance.now()`. */
  async #mergeAll(): Promise<number> {
    const { engine, limits, busy } = this.#deps;
    const began = performance.now();
    const found = await unmergedPartitions(engine, limits.maxMergeBytes);
    const looked = performance.now();
    this.#restsUntil = looked + Math.min(restsPerLook * (looked - began), waitsPerLook * limits.mergeAfter);
    const tried = this.#triedStates;
    this.#triedStates = new Map(found.map((one) => [keyOf(one), tried.get(keyOf(one)) ?? '']));
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
      if (this.#triedStates.get(keyOf(one)) === one.state) continue;
      const wait = Math.max(limits.mergeAfter, one.rest * 1000) - (looked - this.#blocks.get(keyOf(one))!.since);
      if (wait > 0) {
        dueAt = Math.min(dueAt, looked + wait);
        continue;
      }
      if (this.#isStopped || this.#isInterrupted || busy()) return 0;
      this.#triedStates.set(keyOf(one), one.state);
      const over = this.#merge(one);
      this.#currentMerge = { datasetId: one.datasetId, over };
      await over;
      this.#currentMerge = undefined;
    }
    return dueAt;
  }

  /** Never rejects. */
  async #merge(one: UnmergedPartition): Promise<void> {
    const { engine, logger, merged } = this.#deps;
    const started = performance.now();
    const seconds = (): number => (performance.now() - started) / 1000;
    try {
      await mergePartition(engine, one);
      merged('merged', seconds());
    } catch (error) {
      merged('failed', seconds());
      // Includes merges that were interrupted, and those of removed partitions or datasets.
      logger.debug({ dataset: one.datasetId, ...failureDetail(error) }, 'a merge was interrupted');
    }
  }
}

const keyOf = ({ datasetId, partition }: UnmergedPartition): string => `${datasetId} ${partition}`;
