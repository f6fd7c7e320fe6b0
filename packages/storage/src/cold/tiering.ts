import { type Engine, EngineError } from '@millrace/engine';
import type { Logger } from 'pino';
import { runEvery } from '@millrace/runtime/async/run-every';
import type { Clock } from '@millrace/metadata/clock';
import { failureDetail } from '../failure-detail.js';
import type { ColdTier } from './cold-unavailable-error.js';
import {
  coldDays,
  coldTierBytes,
  type DayRange,
  movePartition,
  partitionsToMove,
  readWhatStartsNeed,
} from './cold-partitions.js';

const usualProbes = 30_000;

/** Which partitions move to the bucket, and when. */
export interface ColdLimits {
  /** Minimum age of a partition, milliseconds. */
  readonly after: number;
  /** Interval between checks, milliseconds. */
  readonly every: number;
  /** Interval between checks whether the bucket responds, milliseconds. Default half a minute. */
  readonly probeEvery?: number;
  /** Minimum time since the last write to a partition, seconds. */
  readonly rest: number;
  /** Whether the bucket responds. */
  readonly isResponding: (engine: Engine) => Promise<boolean>;
  /** Whether this process moves partitions, if several share them; default true. */
  readonly isLeader?: () => boolean;
}

interface ColdMovesDependencies {
  readonly engine: Engine;
  readonly logger: Logger;
  readonly retentionClock: Clock;
  readonly limits: ColdLimits;
  /** Called after each partition, for the metrics. */
  readonly moved: (outcome: 'moved' | 'failed') => void;
}

/**
 * Moves old partitions into a bucket, one at a time. The work follows from the parts alone, so a
 * new server continues where the last one stopped. A late event is written to the local disk as
 * always, and follows its partition later.
 */
export class TieringJob implements ColdTier {
  readonly #deps: ColdMovesDependencies;
  readonly #stopTimer: () => Promise<void>;
  readonly #stopProbes: () => Promise<void>;
  readonly #stopListening: () => void;
  #isStopped = false;
  #checkPromise = Promise.resolve();
  #bytes = 0;
  #isUnreachable = false;
  #days: ReadonlyMap<number, DayRange> = new Map();
  /** Bytes in the bucket when the engine last cached the data for starts. */
  #read = 0;

  constructor(deps: ColdMovesDependencies) {
    this.#deps = deps;
    this.#stopTimer = runEvery(deps.limits.every, () => this.check());
    this.#stopProbes = runEvery(deps.limits.probeEvery ?? usualProbes, async () => void (await this.#probe()));
    // Also moves partitions that an earlier server left.
    this.#stopListening = deps.engine.onReady(() => void this.check());
  }

  /** Bytes in the bucket at the last check. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Whether the bucket did not answer the last check: then queries of its data fail. */
  get away(): boolean {
    return this.#isUnreachable;
  }

  daysOf(datasetIds: readonly number[]): DayRange | undefined {
    const ranges = datasetIds.flatMap((id) => this.#days.get(id) ?? []);
    if (ranges.length === 0) return undefined;
    const from = ranges.map((range) => range.from).toSorted()[0]!;
    return {
      from,
      to: ranges
        .map((range) => range.to)
        .toSorted()
        .at(-1)!,
    };
  }

  /** Moves the partitions that are due. Never rejects. */
  check(): Promise<void> {
    this.#checkPromise = this.#checkPromise.then(() => this.#check());
    return this.#checkPromise;
  }

  /**
   * Begins no other move, and waits for the running one: a few gigabytes at most, if the engine is
   * not stopped before.
   */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#stopListening();
    await this.#stopTimer();
    await this.#stopProbes();
    await this.#checkPromise;
  }

  async #check(): Promise<void> {
    const { engine, logger, limits, retentionClock } = this.#deps;
    if (this.#isStopped) return;
    const away = await this.#probe();
    try {
      const before = BigInt(retentionClock() - limits.after) * 1_000_000n;
      const rests = away || limits.isLeader?.() === false;
      const due = rests ? [] : await partitionsToMove(engine, before, limits.rest);
      for (const each of due) {
        if (this.#isStopped) return;
        await this.#move(each);
      }
      this.#bytes = await coldTierBytes(engine);
      this.#days = await coldDays(engine);
      if (away || this.#bytes === this.#read) return;
      await readWhatStartsNeed(engine);
      this.#read = this.#bytes;
    } catch (error) {
      logger.warn(failureDetail(error), 'could not determine which events to move to the bucket');
    }
  }

  /** Checks whether the bucket responds; returns whether it does not. Never rejects. */
  async #probe(): Promise<boolean> {
    const { engine, logger, limits } = this.#deps;
    if (this.#isStopped) return this.#isUnreachable;
    const away = !(await limits.isResponding(engine).catch(() => true));
    if (away === this.#isUnreachable) return away;
    this.#isUnreachable = away;
    if (away)
      logger.error('the S3 bucket with old events is unreachable; queries of these events fail until it is back');
    else logger.info('the S3 bucket with old events is reachable');
    return away;
  }

  async #move(each: Awaited<ReturnType<typeof partitionsToMove>>[number]): Promise<void> {
    const { engine, logger, moved } = this.#deps;
    try {
      await movePartition(engine, each);
      moved('moved');
    } catch (error) {
      // A dataset that was deleted in the meantime is no failure.
      if (error instanceof EngineError && error.code === 'unknown-table') return;
      moved('failed');
      // Includes partitions whose parts the engine was merging.
      const { datasetId, partition } = each;
      logger.warn(
        { dataset: datasetId, partition: String(partition), ...failureDetail(error) },
        'tiering failed; retrying',
      );
    }
  }
}
