import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { nobodys, type Taken, TakenBytes } from '../../memory/taken-bytes.js';
import { EngineError, type EngineErrorCode } from '@millrace/engine';
import type { StoredDataset } from '../fields/dataset.js';
import { SlotsOfShards } from '../insert/slots.js';
import { failureDetail } from '../failure-detail.js';
import { gone, type GroupInsertDependencies, isFull, pauseBefore, stopping, storeGroup } from './group-insert.js';
import { type Fates, type Member, nextMembers, type OwnPlace, type Unplaced } from './group.js';
import { GivenUp, NotConfirmed } from './not-confirmed.js';
import { Refusing } from './refusing.js';

/** The order of arrival among all processes. */
export interface ArrivalOrder {
  /** Takes places for batches of so many rows; returns the first of them. @throws MetadataError */
  take(datasetId: number, sizes: readonly number[]): Promise<bigint>;
  /** Says that nothing more comes of what was taken together. @throws MetadataError */
  done(first: bigint, rows: number): Promise<void>;
}

interface GroupCommitDependencies extends Omit<GroupInsertDependencies, 'stopped' | 'failed' | 'stored'> {
  readonly order: ArrivalOrder;
  /** Begins the names of inserts; no other process has it. */
  readonly epoch: bigint;
  readonly limits: {
    readonly insertBytes: number;
    readonly acceptMilliseconds: number;
    /** How long a group is collected before it goes in. */
    readonly groupMilliseconds: number;
  };
}

/** What waits for one dataset. */
interface Queue {
  readonly dataset: StoredDataset;
  waiting: Member[];
  running: Promise<void> | undefined;
}

/** The most datasets that may have an insert under way, of each shard. */
const datasetsAtOnce = 16;

/**
 * Takes batches to the engine, and answers when it has them. What comes while the dataset has an
 * insert under way goes in together with the next one: the slower the engine, the larger the
 * groups.
 */
export class GroupCommit {
  readonly #deps: GroupInsertDependencies & { readonly order: ArrivalOrder };
  readonly #epoch: bigint;
  /** Should a database that was put back ever give an epoch twice, no token is. */
  readonly #life = randomBytes(6).toString('hex');
  readonly #limits: GroupCommitDependencies['limits'];
  readonly #queues = new Map<number, Queue>();
  readonly #slots: SlotsOfShards<Queue>;
  #groups = 0;
  readonly #taken = new TakenBytes();
  /** Of each dataset: one whose insert is stuck keeps no other from going on. */
  readonly #refusing = new Map<number, Refusing>();
  #full: EngineErrorCode | undefined;
  #stopped = false;

  constructor({ epoch, limits, ...deps }: GroupCommitDependencies) {
    this.#deps = {
      ...deps,
      stopped: () => this.#stopped,
      failed: (datasetId, error) => this.#failed(datasetId, error),
      stored: (datasetId) => this.#refusingOf(datasetId).stored(),
    };
    this.#slots = new SlotsOfShards(deps.engine, datasetsAtOnce, () => false);
    this.#epoch = epoch;
    this.#limits = limits;
  }

  /** Why the engine took nothing of the last group, if it has no room. */
  get full(): EngineErrorCode | undefined {
    return this.#full;
  }

  /** Bytes that were taken and are not known to be in the engine. */
  get bytes(): number {
    return this.#taken.all;
  }

  /** The same, and how much of it is of one party. */
  takenBy(party: string): Taken {
    return this.#taken.of(party);
  }

  /**
   * Resolved with its position when the engine has the batch.
   * @param own where somebody else may send the same batch; without, it goes in together with
   * others
   * @throws NotConfirmed, GivenUp of an own place, and what the engine says of a batch that it
   * refuses
   */
  add(dataset: StoredDataset, batch: Unplaced, own?: OwnPlace): Promise<bigint> {
    if (!mayBeStored(own) && this.#refusingOf(dataset.id).isSo) return Promise.reject(takesNothing());
    const queue = this.#queues.get(dataset.id) ?? { dataset, waiting: [], running: undefined };
    this.#queues.set(dataset.id, queue);
    const { party = nobodys.party, bytes } = batch;
    this.#taken.add(party, bytes);
    return new Promise((resolve, reject) => {
      let isLeft = false;
      const late = setTimeout(() => {
        isLeft = true;
        reject(new NotConfirmed());
      }, this.#limits.acceptMilliseconds);
      const over = (): void => {
        clearTimeout(late);
        this.#taken.add(party, -bytes);
      };
      queue.waiting.push({
        batch,
        ...(own !== undefined && { own }),
        isLeft: () => isLeft,
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

  /**
   * Waits for what is under way, for as long as somebody waits for it; then nothing is tried again.
   */
  async close(): Promise<void> {
    const late = setTimeout(() => (this.#stopped = true), this.#limits.acceptMilliseconds);
    await Promise.all([...this.#queues.values()].map(({ running }) => running));
    clearTimeout(late);
    this.#stopped = true;
  }

  #refusingOf(datasetId: number): Refusing {
    const refusing = this.#refusing.get(datasetId) ?? new Refusing();
    this.#refusing.set(datasetId, refusing);
    return refusing;
  }

  #failed(datasetId: number, error: EngineError): boolean {
    const refusing = this.#refusingOf(datasetId);
    refusing.failed(error);
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
    const members = nextMembers(queue.waiting, this.#limits.insertBytes);
    const taken = new Set(members);
    for (const member of queue.waiting) if (member.isLeft() && !taken.has(member)) member.refused(new NotConfirmed());
    queue.waiting = queue.waiting.filter((member) => !taken.has(member) && !member.isLeft());
    // Some may lose their places in the order of arrival, and get others.
    for (let left = members; left.length > 0;) left = await this.#bringIn(queue.dataset, left);
  }

  /** Brings members into the engine and tells them; returns those whose places were given up. */
  async #bringIn(dataset: StoredDataset, members: readonly Member[]): Promise<readonly Member[]> {
    const own = members[0]!.own;
    const first = own?.position ?? (await this.#take(dataset.id, members));
    if (first === undefined) return [];
    const placed = members.map((member, i) => ({
      member,
      batch: { ...member.batch, position: first + BigInt(i) },
    }));
    const token = own?.token ?? `${this.#epoch}-${this.#life}-${++this.#groups}`;
    const stored = storeGroup(this.#deps, { dataset, placed, token });
    const fates = await this.#refusingOf(dataset.id).during(stored);
    for (const { fate } of fates)
      if (fate.kind === 'stored') this.#full = undefined;
      else if (fate.kind === 'refused' && fate.error instanceof EngineError && isFull(fate.error))
        this.#full = fate.error.code;
    // Before anybody is told: whoever follows the order has to find what was acknowledged.
    const isDone = own !== undefined || (await this.#done(first, fates));
    const again: Member[] = [];
    for (const { member, batch, fate } of fates)
      switch (fate.kind) {
        case 'stored':
          if (isDone) member.stored(batch.position);
          else member.refused(new NotConfirmed());
          break;
        case 'refused':
          member.refused(fate.error);
          break;
        case 'unknown':
          member.refused(new NotConfirmed());
          break;
        case 'given-up':
          if (own === undefined) again.push(member);
          else member.refused(new GivenUp());
      }
    return again;
  }

  /** Places for members, in the order of arrival; undefined if nobody waits for them any more. */
  async #take(datasetId: number, members: readonly Member[]): Promise<bigint | undefined> {
    const { order, logger, stopped, firstPause } = this.#deps;
    for (let attempt = 1; ; attempt++) {
      const why = members.every(({ isLeft }) => isLeft()) ? gone() : stopped() ? stopping() : undefined;
      if (why !== undefined) return void members.forEach(({ refused }) => refused(why));
      try {
        return await order.take(
          datasetId,
          members.map(({ batch }) => batch.block.rows),
        );
      } catch (error) {
        logger.warn({ dataset: datasetId, ...failureDetail(error) }, 'events have to wait for their place');
        await sleep(pauseBefore(attempt, firstPause));
      }
    }
  }

  /** Says that a group is in; false if that could not be said. */
  async #done(first: bigint, fates: Fates): Promise<boolean> {
    const { order, stopped, firstPause, logger } = this.#deps;
    const isOver = fates.every(({ fate }) => fate.kind !== 'unknown');
    const rows = fates.reduce((sum, { batch, fate }) => sum + (fate.kind === 'stored' ? batch.block.rows : 0), 0);
    for (let attempt = 1; isOver || !stopped(); attempt++) {
      try {
        await order.done(first, rows);
        return true;
      } catch (error) {
        if (stopped()) return false;
        // The order of arrival goes no further until it is said, and tails wait.
        logger.warn(failureDetail(error), 'that events are stored could not be written down; it is tried again');
        await sleep(pauseBefore(attempt, firstPause));
      }
    }
    return false;
  }
}

/** Somebody else may have sent the batch. */
const mayBeStored = (own: OwnPlace | undefined): boolean => own?.repeated === true;
const takesNothing = (): EngineError => new EngineError('unavailable', 'ClickHouse can store nothing at the moment');
