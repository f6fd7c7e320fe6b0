import { type Engine, EngineError } from '@millrace/engine';
import type { Logger } from 'pino';
import { runEvery } from '../../async/run-every.js';
import type { Clock } from '../../metadata/clock.js';
import { failureDetail } from '../failure-detail.js';
import { coldBytes, movePartition, partitionsToMove, readWhatStartsNeed } from './cold-partitions.js';

/** What moves to the bucket, and when. */
export interface ColdLimits {
  /** Age of a whole partition, milliseconds. */
  readonly after: number;
  /** How often to look, milliseconds. */
  readonly every: number;
  /** For how long nothing was written in a partition, seconds. */
  readonly rest: number;
  /** Whether the bucket answers. */
  readonly answers: () => Promise<boolean>;
  /** Whether this process moves them, where several share them; by default it does. */
  readonly onDuty?: () => boolean;
}

interface ColdMovesDependencies {
  readonly engine: Engine;
  readonly logger: Logger;
  readonly aging: Clock;
  readonly limits: ColdLimits;
  /** Called after each partition, for the metrics. */
  readonly moved: (outcome: 'moved' | 'failed') => void;
}

/**
 * Moves partitions that are old enough into a bucket, one at a time. What to do follows from the
 * parts alone, so a new server goes on where the last one stopped. A late event is written to the
 * local disk as always, and follows its partition later.
 */
export class ColdMoves {
  readonly #deps: ColdMovesDependencies;
  readonly #stopLooking: () => Promise<void>;
  readonly #stopListening: () => void;
  #stopped = false;
  #running = Promise.resolve();
  #bytes = 0;
  #away = false;
  /** How many bytes there were when the engine last read what starts need. */
  #read = 0;

  constructor(deps: ColdMovesDependencies) {
    this.#deps = deps;
    this.#stopLooking = runEvery(deps.limits.every, () => this.look());
    // Also what an earlier server left.
    this.#stopListening = deps.engine.onReady(() => void this.look());
  }

  /** Bytes in the bucket, when it was last looked. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Whether the bucket did not answer when it was last asked: then queries that need what is in it
   * fail.
   */
  get away(): boolean {
    return this.#away;
  }

  /** Moves what is to be moved now. Never rejects. */
  look(): Promise<void> {
    this.#running = this.#running.then(() => this.#look());
    return this.#running;
  }

  /**
   * Begins no other move, and waits for the one that runs: a few gigabytes at most, if the engine
   * is not stopped before.
   */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#stopListening();
    await this.#stopLooking();
    await this.#running;
  }

  async #look(): Promise<void> {
    const { engine, logger, limits, aging } = this.#deps;
    if (this.#stopped) return;
    const away = !(await limits.answers());
    if (away !== this.#away) {
      this.#away = away;
      if (away) logger.error('the bucket with old events does not answer; queries of what is in it fail until it does');
      else logger.info('the bucket with old events answers again');
    }
    try {
      const before = BigInt(aging() - limits.after) * 1_000_000n;
      const rests = away || limits.onDuty?.() === false;
      const due = rests ? [] : await partitionsToMove(engine, before, limits.rest);
      for (const each of due) {
        if (this.#stopped) return;
        await this.#move(each);
      }
      this.#bytes = await coldBytes(engine);
      if (away || this.#bytes === this.#read) return;
      await readWhatStartsNeed(engine);
      this.#read = this.#bytes;
    } catch (error) {
      logger.warn(failureDetail(error), 'it could not be found out which events are to move to the bucket');
    }
  }

  async #move(each: Awaited<ReturnType<typeof partitionsToMove>>[number]): Promise<void> {
    const { engine, logger, moved } = this.#deps;
    try {
      await movePartition(engine, each);
      moved('moved');
    } catch (error) {
      // A dataset that was deleted meanwhile is no failure.
      if (error instanceof EngineError && error.code === 'unknown-table') return;
      moved('failed');
      // Also where the engine was merging its parts.
      const { datasetId, partition } = each;
      logger.warn(
        { dataset: datasetId, partition: String(partition), ...failureDetail(error) },
        'old events could not be moved to the bucket; it is tried again',
      );
    }
  }
}
