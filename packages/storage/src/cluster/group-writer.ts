import { type Engine, EngineError, shardOf, shardsOf } from '@millrace/engine';
import type { EncodeResult } from '@millrace/events';
import type { Logger } from 'pino';
import type { BatchWriter, WriteResult, AppendOptions } from '../writer.js';
import { systemUsage, type UsageByKey, addUsage } from '@millrace/runtime/memory/fair-share';
import { failureDetail } from '../failure-detail.js';
import type { StoredDataset } from '../fields/dataset.js';
import { memoryOf } from '../frame.js';
import type { StoredResponse } from '../idempotency-store.js';
import { assertFairShare, BackpressureError } from '../backpressure.js';
import { tableOf } from '../tables/table-of-dataset.js';
import type { StorageLimits } from '../storage-limits.js';
import type { ReservedPosition } from './group.js';
import type { GroupCommit } from './group-commit.js';
import type { IdempotencyKeys } from './idempotency-keys.js';
import { isWritable } from './is-writable.js';
import { NotConfirmed } from './not-confirmed.js';
import type { UnconfirmedBatches, UnconfirmedRequest } from './unconfirmed-batches.js';

interface GroupedIntakeDependencies {
  readonly engine: Engine;
  readonly groups: Pick<GroupCommit, 'add' | 'takenBy'>;
  readonly keys: Pick<IdempotencyKeys, 'storeOnce' | 'answer'>;
  readonly unconfirmed: Pick<UnconfirmedBatches, 'add' | 'storedPosition'>;
  readonly logger: Logger;
  readonly limits: Pick<StorageLimits, 'maxPendingBytes'>;
  /** Whether the number of this process is still its own. */
  readonly isKnown: () => boolean;
}

/** @throws EngineError `unavailable` */
function requireReady(engine: Engine): void {
  if (shardsOf(engine).some(isWritable)) return;
  const { state, reason = '' } = engine.health();
  throw new EngineError('unavailable', `the engine is ${state}: ${reason}`);
}

/** For the operator. */
export const forgotten = 'the database has forgotten this node: start it again';

/** Write path without a log: a request gets its response when its events are in the engine. */
export class GroupedIntake implements BatchWriter {
  readonly recognizesRepetitions = true;
  readonly #deps: GroupedIntakeDependencies;

  constructor(deps: GroupedIntakeDependencies) {
    this.#deps = deps;
  }

  /**
   * @throws BackpressureError when nothing is stored because of too large a backlog, here or in the
   * engine; NotConfirmed when the outcome is unknown; the engine's error for rejected batches
   */
  async append(dataset: StoredDataset, encoded: EncodeResult, options: AppendOptions): Promise<WriteResult> {
    const { groups, keys } = this.#deps;
    const { party } = options;
    this.checkRoom(party === undefined ? undefined : { party, all: 0, own: 0 });
    requireReady(shardOf(this.#deps.engine, tableOf(dataset.id)));
    await dataset.learnOverflowed(encoded);
    const { block } = encoded;
    const bytes = memoryOf(
      block,
      block.columns.reduce((sum, { data }) => sum + data.byteLength, 0),
    );
    const { arrival, idempotency, digest } = options;
    const notConfirmed = (error: unknown): never => {
      const isBehind = error instanceof EngineError && error.code === 'overloaded';
      throw isBehind ? new BackpressureError(groups.takenBy(systemUsage.party).all) : error;
    };
    const store = async (arrived: bigint, own?: ReservedPosition): Promise<bigint> => {
      const whose = party === undefined ? {} : { party };
      const position = await groups.add(dataset, { arrival: arrived, block, bytes, ...whose }, own).catch(notConfirmed);
      dataset.invalidate();
      return position;
    };
    if (idempotency === undefined) {
      if (digest === undefined) return { position: await store(arrival) };
      return this.#storeUnlessStored({ datasetId: dataset.id, digest }, block.rows, () => store(arrival));
    }
    return keys.storeOnce({ datasetId: dataset.id, arrival, rows: block.rows, ...idempotency }, store);
  }

  /** Stores a request without a key, unless an earlier attempt that was not confirmed did so. */
  async #storeUnlessStored(
    request: UnconfirmedRequest,
    rows: number,
    store: () => Promise<bigint>,
  ): Promise<WriteResult> {
    const { unconfirmed, logger } = this.#deps;
    const stored = await unconfirmed.storedPosition(request);
    if (stored !== undefined) return { position: stored, repeated: true };
    try {
      return { position: await store() };
    } catch (error) {
      if (error instanceof NotConfirmed && error.position !== undefined)
        await unconfirmed.add(request, error.position, rows).catch((failure: unknown) => {
          logger.warn(
            { dataset: request.datasetId, ...failureDetail(failure) },
            'could not record an unconfirmed request: a repetition without an Idempotency-Key may be stored twice',
          );
        });
      throw error;
    }
  }

  answer(dataset: StoredDataset, key: string): Promise<StoredResponse | undefined> {
    return this.#deps.keys.answer(dataset.id, key);
  }

  /** @throws BackpressureError, EngineError `unavailable` while no engine accepts events */
  checkRoom(onTheWay: UsageByKey = systemUsage): void {
    const { engine, groups, limits, isKnown } = this.#deps;
    if (!isKnown()) throw new EngineError('unavailable', forgotten);
    requireReady(engine);
    assertFairShare(addUsage(groups.takenBy(onTheWay.party), onTheWay), limits.maxPendingBytes);
  }
}
