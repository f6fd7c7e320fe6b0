import type { EncodeResult } from '@millrace/events';
import { type Appended, type Log, LogError } from '@millrace/log';
import type { Acceptance, Accepted, AppendOptions } from './acceptance.js';
import type { Answers, RememberedAnswer } from './remembered-answers.js';
import type { Backlog } from './insert/backlog.js';
import type { StoredDataset } from './fields/dataset.js';
import type { Flusher } from './insert/flusher.js';
import { memoryOf, writeFrame } from './frame.js';
import type { LogKeeper } from './log-keeper.js';
import { requireShare } from './storage-behind.js';
import type { StorageLimits } from './storage-limits.js';
import { nobodys, type TakenFor, together } from '../memory/taken-bytes.js';

interface IntakeDependencies {
  readonly log: Log;
  readonly backlog: Backlog;
  readonly flusher: Flusher;
  readonly keeper: LogKeeper;
  readonly answers: Answers;
  /** All datasets that exist. */
  readonly datasets: ReadonlyMap<number, StoredDataset>;
  readonly limits: StorageLimits;
}

/**
 * Takes events as long as there is room: appends them to the log, then queues them for the engine.
 */
export class Intake implements Acceptance {
  readonly #deps: IntakeDependencies;

  constructor(deps: IntakeDependencies) {
    this.#deps = deps;
  }

  /**
   * Makes encoded events durable and queues them for the engine. The storage owns their memory from
   * then on. Resolved means fsynced.
   * @throws StorageBehind before anything is taken; LogError when the log cannot take or sync them
   */
  async append(dataset: StoredDataset, encoded: EncodeResult, options: AppendOptions): Promise<Accepted> {
    const { backlog, flusher, answers, datasets } = this.#deps;
    const { party } = options;
    this.checkRoom(party === undefined ? undefined : { party, all: 0, own: 0 });
    const chunks = writeFrame({ ...options, datasetId: dataset.id, block: encoded.block });
    const payloadBytes = chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0);
    const bytes = memoryOf(encoded.block, payloadBytes);
    const { position, durable } = this.#reserve(chunks);
    backlog.expect(position, dataset.id);
    try {
      await durable;
    } catch (error) {
      backlog.abandon(position);
      throw error;
    }
    // Earlier than the batch itself: no column is needed for them, so a query may name them before.
    await dataset.learnOverflowed(encoded);
    // The dataset was deleted meanwhile.
    if (datasets.get(dataset.id) !== dataset) {
      backlog.abandon(position);
      return { position };
    }
    if (options.idempotency !== undefined) answers.note(dataset.id, position, options.idempotency);
    // Learned together with the batch, not earlier: a query would ask for columns that no flush
    // could have made yet.
    dataset.learn(encoded.block, []);
    flusher.add(dataset, { ...options, position, block: encoded.block, bytes });
    dataset.changed();
    return { position };
  }

  answer(dataset: StoredDataset, key: string): Promise<RememberedAnswer | undefined> {
    return this.#deps.answers.find(dataset.id, key);
  }

  /**
   * @throws StorageBehind when ingest has to wait for the engine, LogError when it has to wait for
   * the log
   */
  checkRoom(onTheWay: TakenFor = nobodys): void {
    const { backlog, log, keeper, limits } = this.#deps;
    // Bytes that wait for the disk are held in memory, like those that wait for the engine.
    const syncing = { all: log.stats().pendingBytes, own: 0 };
    const taken = together(together(backlog.takenBy(onTheWay.party), syncing), onTheWay);
    requireShare(taken, limits.maxPendingBytes);
    const refusal = log.refusal(0) ?? keeper.refusal;
    if (refusal !== undefined) throw this.#makingRoom(refusal);
  }

  #reserve(chunks: readonly Uint8Array[]): Appended {
    try {
      return this.#deps.log.append(chunks);
    } catch (error) {
      throw this.#makingRoom(error);
    }
  }

  /** A full log releases what is stored at once, not at the keeper's next check. */
  #makingRoom<E>(error: E): E {
    if (error instanceof LogError && error.code === 'log-full') void this.#deps.keeper.makeRoom();
    return error;
  }
}
