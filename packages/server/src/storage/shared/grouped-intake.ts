import { type Engine, EngineError, shardOf, shardsOf } from '@millrace/engine';
import type { EncodeResult } from '@millrace/events';
import type { Acceptance, Accepted, AppendOptions } from '../acceptance.js';
import { nobodys, type TakenFor, together } from '../../memory/taken-bytes.js';
import type { StoredDataset } from '../fields/dataset.js';
import { memoryOf } from '../frame.js';
import type { RememberedAnswer } from '../remembered-answers.js';
import { requireShare, StorageBehind } from '../storage-behind.js';
import { tableOf } from '../tables/table-of-dataset.js';
import type { StorageLimits } from '../storage-limits.js';
import type { OwnPlace } from './group.js';
import type { GroupCommit } from './group-commit.js';
import type { Keys } from './keys.js';
import { takesEvents } from './takes-events.js';

interface GroupedIntakeDependencies {
  readonly engine: Engine;
  readonly groups: Pick<GroupCommit, 'add' | 'takenBy'>;
  readonly keys: Pick<Keys, 'once' | 'answer'>;
  readonly limits: Pick<StorageLimits, 'maxPendingBytes'>;
  /** Whether the number of this process is still its alone. */
  readonly isKnown: () => boolean;
}

/** @throws EngineError `unavailable` */
function requireReady(engine: Engine): void {
  if (shardsOf(engine).some(takesEvents)) return;
  const { state, reason = '' } = engine.health();
  throw new EngineError('unavailable', `the engine is ${state}: ${reason}`);
}

/** For the operator. */
export const forgotten = 'the database has forgotten this node: start it again';

/**
 * Takes events as long as the engine does: a request is answered when its events are in there, and
 * nothing is kept here.
 */
export class GroupedIntake implements Acceptance {
  readonly #deps: GroupedIntakeDependencies;

  constructor(deps: GroupedIntakeDependencies) {
    this.#deps = deps;
  }

  /**
   * @throws StorageBehind when nothing is stored because too much waits, here or in the engine;
   * NotConfirmed when nobody knows whether the engine has them; whatever it says of bad ones
   */
  async append(dataset: StoredDataset, encoded: EncodeResult, options: AppendOptions): Promise<Accepted> {
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
    const { arrival, idempotency } = options;
    const told = (error: unknown): never => {
      const isBehind = error instanceof EngineError && error.code === 'overloaded';
      throw isBehind ? new StorageBehind(groups.takenBy(nobodys.party).all) : error;
    };
    const store = async (arrived: bigint, own?: OwnPlace): Promise<bigint> => {
      const whose = party === undefined ? {} : { party };
      const position = await groups.add(dataset, { arrival: arrived, block, bytes, ...whose }, own).catch(told);
      dataset.changed();
      return position;
    };
    if (idempotency === undefined) return { position: await store(arrival) };
    return keys.once({ datasetId: dataset.id, arrival, rows: block.rows, ...idempotency }, store);
  }

  answer(dataset: StoredDataset, key: string): Promise<RememberedAnswer | undefined> {
    return this.#deps.keys.answer(dataset.id, key);
  }

  /** @throws StorageBehind, EngineError `unavailable` while there is nothing to put events into */
  checkRoom(onTheWay: TakenFor = nobodys): void {
    const { engine, groups, limits, isKnown } = this.#deps;
    if (!isKnown()) throw new EngineError('unavailable', forgotten);
    requireReady(engine);
    requireShare(together(groups.takenBy(onTheWay.party), onTheWay), limits.maxPendingBytes);
  }
}
