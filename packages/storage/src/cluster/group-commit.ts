import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemUsage, type Usage, ByteUsage } from '@millrace/runtime/memory/fair-share';
import { KeyedMutex } from '@millrace/runtime/async/mutex';
import { EngineError, type EngineErrorCode } from '@millrace/engine';
import type { StoredDataset } from '../fields/dataset.js';
import { SlotsOfShards } from '../insert/slots.js';
import { failureDetail } from '../failure-detail.js';
import {
  notStoredError,
  type GroupInsertDependencies,
  isFull,
  pauseBefore,
  stoppingError,
  storeGroup,
} from './group-insert.js';
import {
  type InsertOutcomes,
  type PendingBatch,
  takeNextGroup,
  type ReservedPosition,
  type SequencedBatch,
  type UnsequencedBatch,
} from './group.js';
import { PositionFencedError, NotConfirmed } from './not-confirmed.js';
import { WriteCircuitBreaker } from './write-circuit-breaker.js';

/** The ingest order among all processes. */
export interface ArrivalOrder {
  /** Allocates positions for batches of these sizes; returns the first. @throws MetadataError */
  allocate(datasetId: number, sizes: readonly number[]): Promise<bigint>;
  /** Records that the allocated batches are final. @throws MetadataError */
  recordStored(first: bigint, rows: number): Promise<void>;
}

interface GroupCommitDependencies extends Omit<GroupInsertDependencies, 'stopped' | 'failed' | 'stored' | 'learning'> {
  readonly order: ArrivalOrder;
  /** Prefix of insert tokens; unique per process. */
  readonly epoch: bigint;
  readonly limits: {
    readonly insertBytes: number;
    readonly acceptMilliseconds: number;
    /** How long a group is collected before its insert. */
    readonly groupMilliseconds: number;
  };
}

/** The pending batches of a dataset. */
interface Queue {
  readonly dataset: StoredDataset;
  waiting: PendingBatch[];
  running: Promise<void> | undefined;
}

/** Maximum datasets with an insert in flight, per shard. */
const datasetsAtOnce = 16;

/**
 * Inserts batches into the engine and resolves when it has them. Batches that arrive during an
 * insert of their dataset join the next one: the slower the engine, the larger the groups.
 */
export class GroupCommit {
  readonly #deps: GroupInsertDependencies & { readonly order: ArrivalOrder };
  readonly #epoch: bigint;
  /** Makes tokens unique even if a restored database assigns an epoch twice. */
  readonly #life = randomBytes(6).toString('hex');
  readonly #limits: GroupCommitDependencies['limits'];
  readonly #queues = new Map<number, Queue>();
  readonly #slots: SlotsOfShards<Queue>;
  #groups = 0;
  readonly #usage = new ByteUsage();
  /** Per dataset, so that one with a stuck insert does not stop the others. */
  readonly #circuitBreakers = new Map<number, WriteCircuitBreaker>();
  #full: EngineErrorCode | undefined;
  #isStopped = false;

  constructor({ epoch, limits, ...deps }: GroupCommitDependencies) {
    this.#deps = {
      ...deps,
      learning: new KeyedMutex(),
      stopped: () => this.#isStopped,
      failed: (datasetId, error) => this.#recordFailure(datasetId, error),
      stored: (datasetId) => this.#refusingOf(datasetId).recordSuccess(),
    };
    this.#slots = new SlotsOfShards(deps.engine, datasetsAtOnce, () => false);
    this.#epoch = epoch;
    this.#limits = limits;
  }

  /** Error code of the last group if the engine was full. */
  get full(): EngineErrorCode | undefined {
    return this.#full;
  }

  /** Bytes accepted and not known to be in the engine. */
  get bytes(): number {
    return this.#usage.all;
  }

  /** The bytes in total, and those of one quota key. */
  takenBy(party: string): Usage {
    return this.#usage.of(party);
  }

  /**
   * Resolves with the batch's position when the engine has it.
   * @param own if another process may send the same batch; without it, the batch is inserted
   * together with others
   * @throws NotConfirmed, PositionFencedError of an own place, and the engine's error when it
   * rejects the batch
   */
  add(dataset: StoredDataset, batch: UnsequencedBatch, own?: ReservedPosition): Promise<bigint> {
    if (!mayBeStored(own) && this.#refusingOf(dataset.id).isSo) return Promise.reject(takesNothing());
    const queue = this.#queues.get(dataset.id) ?? { dataset, waiting: [], running: undefined };
    this.#queues.set(dataset.id, queue);
    const { party = systemUsage.party, bytes } = batch;
    this.#usage.add(party, bytes);
    return new Promise((resolve, reject) => {
      let isLeft = false;
      let placed: bigint | undefined;
      const late = setTimeout(() => {
        isLeft = true;
        reject(new NotConfirmed(placed));
      }, this.#limits.acceptMilliseconds);
      const over = (): void => {
        clearTimeout(late);
        this.#usage.add(party, -bytes);
      };
      queue.waiting.push({
        batch,
        ...(own !== undefined && { own }),
        isLeft: () => isLeft,
        placed: (position) => (placed = position),
        stored: (position) => {
          over();
          resolve(position);
        },
        refused: (error) => {
          over();
          reject(error);
        },
      });
      queue.running ??= this.#run(queue);
    });
  }

  /** Waits for inserts in flight while requests wait for them; then stops retrying. */
  async close(): Promise<void> {
    const late = setTimeout(() => (this.#isStopped = true), this.#limits.acceptMilliseconds);
    await Promise.all([...this.#queues.values()].map(({ running }) => running));
    clearTimeout(late);
    this.#isStopped = true;
  }

  #refusingOf(datasetId: number): WriteCircuitBreaker {
    const refusing = this.#circuitBreakers.get(datasetId) ?? new WriteCircuitBreaker();
    this.#circuitBreakers.set(datasetId, refusing);
    return refusing;
  }

  #recordFailure(datasetId: number, error: EngineError): boolean {
    const refusing = this.#refusingOf(datasetId);
    refusing.recordFailure(error);
    if (!refusing.isSo) return false;
    const queue = this.#queues.get(datasetId);
    if (queue === undefined) return true;
    for (const member of queue.waiting) if (!mayBeStored(member.own)) member.refused(takesNothing());
    queue.waiting = queue.waiting.filter(({ own }) => mayBeStored(own));
    return true;
  }

  /** Never rejects. */
  async #run(queue: Queue): Promise<void> {
    const { groupMilliseconds } = this.#limits;
    while (queue.waiting.length > 0) {
      if (groupMilliseconds > 0) await sleep(groupMilliseconds);
      await this.#slots.of(queue.dataset.id).run(queue, () => this.#next(queue));
    }
    queue.running = undefined;
    this.#queues.delete(queue.dataset.id);
  }

  async #next(queue: Queue): Promise<void> {
    const members = takeNextGroup(queue.waiting, this.#limits.insertBytes);
    const taken = new Set(members);
    for (const member of queue.waiting) if (member.isLeft() && !taken.has(member)) member.refused(new NotConfirmed());
    queue.waiting = queue.waiting.filter((member) => !taken.has(member) && !member.isLeft());
    if (members[0]?.own !== undefined) {
      await Promise.all(members.map((member) => this.#bringIn(queue.dataset, [member])));
      return;
    }
    // Some may be fenced, and get other positions.
    for (let left = members; left.length > 0;) left = await this.#bringIn(queue.dataset, left);
  }

  /** Inserts batches and reports their outcomes; returns those whose positions were fenced. */
  async #bringIn(dataset: StoredDataset, members: readonly PendingBatch[]): Promise<readonly PendingBatch[]> {
    const own = members[0]!.own;
    const first = own?.position ?? (await this.#allocate(dataset.id, members));
    if (first === undefined) return [];
    const placed = this.#place(members, first);
    const token = own?.token ?? `${this.#epoch}-${this.#life}-${++this.#groups}`;
    const stored = storeGroup(this.#deps, { dataset, placed, token });
    const fates = await this.#refusingOf(dataset.id).run(stored);
    for (const { fate } of fates)
      if (fate.kind === 'stored') this.#full = undefined;
      else if (fate.kind === 'refused' && fate.error instanceof EngineError && isFull(fate.error))
        this.#full = fate.error.code;
    // Recorded before the clients are answered, so that readers of the ingest order find what was
    // acknowledged.
    const isDone = own !== undefined || (await this.#recordStored(first, fates));
    const again: PendingBatch[] = [];
    for (const { member, batch, fate } of fates)
      switch (fate.kind) {
        case 'stored':
          if (isDone) member.stored(batch.position);
          else member.refused(new NotConfirmed(batch.position));
          break;
        case 'refused':
          member.refused(fate.error);
          break;
        case 'unknown':
          member.refused(new NotConfirmed(batch.position));
          break;
        case 'fenced':
          if (own === undefined) again.push(member);
          else member.refused(new PositionFencedError());
      }
    return again;
  }

  /**
   * Assigns positions from the first on. A batch whose request was answered in the meantime is left
   * out: its client was told of no position, or of an earlier one, and may repeat it.
   */
  #place(members: readonly PendingBatch[], first: bigint): readonly SequencedBatch[] {
    return members.flatMap((member, i): readonly SequencedBatch[] => {
      const position = first + BigInt(i);
      if (member.own === undefined && member.isLeft()) {
        member.refused(new NotConfirmed());
        return [];
      }
      member.placed(position);
      return [{ member, batch: { ...member.batch, position } }];
    });
  }

  /**
   * Allocates positions for members, in ingest order; undefined if no request waits for them any
   * more.
   */
  async #allocate(datasetId: number, members: readonly PendingBatch[]): Promise<bigint | undefined> {
    const { order, logger, stopped, firstPause } = this.#deps;
    for (let attempt = 1; ; attempt++) {
      const why = members.every(({ isLeft }) => isLeft()) ? notStoredError() : stopped() ? stoppingError() : undefined;
      if (why !== undefined) return void members.forEach(({ refused }) => refused(why));
      try {
        return await order.allocate(
          datasetId,
          members.map(({ batch }) => batch.block.rows),
        );
      } catch (error) {
        logger.warn({ dataset: datasetId, ...failureDetail(error) }, 'could not allocate positions; events wait');
        await sleep(pauseBefore(attempt, firstPause));
      }
    }
  }

  /** Records that a group is stored; false if that failed. */
  async #recordStored(first: bigint, fates: InsertOutcomes): Promise<boolean> {
    const { order, stopped, firstPause, logger } = this.#deps;
    const isOver = fates.every(({ fate }) => fate.kind !== 'unknown');
    const rows = fates.reduce((sum, { batch, fate }) => sum + (fate.kind === 'stored' ? batch.block.rows : 0), 0);
    for (let attempt = 1; isOver || !stopped(); attempt++) {
      try {
        await order.recordStored(first, rows);
        return true;
      } catch (error) {
        if (stopped()) return false;
        // The watermark does not advance before that, and tails wait.
        logger.warn(failureDetail(error), 'could not record stored events; retrying');
        await sleep(pauseBefore(attempt, firstPause));
      }
    }
    return false;
  }
}

/** Whether another process may have sent the batch. */
const mayBeStored = (own: ReservedPosition | undefined): boolean => own?.repeated === true;
const takesNothing = (): EngineError => new EngineError('unavailable', 'ClickHouse can store nothing at the moment');
