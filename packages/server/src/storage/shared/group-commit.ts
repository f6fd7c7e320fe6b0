import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StoredDataset } from '../fields/dataset.js';
import type { Batch } from '../insert/queue.js';
import { Slots } from '../insert/slots.js';
import { type GroupInsertDependencies, storeGroup } from './group-insert.js';
import { type Member, nextMembers } from './group.js';
import { NotConfirmed } from './not-confirmed.js';

interface GroupCommitDependencies extends Omit<GroupInsertDependencies, 'stopped'> {
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

/** The most datasets that may have an insert under way. */
const datasetsAtOnce = 16;

/**
 * Takes batches to the engine, and answers when it has them. What comes while the dataset has an
 * insert under way goes in together with the next one: the slower the engine, the larger the
 * groups.
 */
export class GroupCommit {
  readonly #deps: GroupInsertDependencies;
  readonly #epoch: bigint;
  /** Should a database that was put back ever give an epoch twice, no token is. */
  readonly #life = randomBytes(6).toString('hex');
  readonly #limits: GroupCommitDependencies['limits'];
  readonly #queues = new Map<number, Queue>();
  readonly #slots = new Slots<Queue>(datasetsAtOnce, () => false);
  #groups = 0;
  #bytes = 0;
  #stopped = false;

  constructor({ epoch, limits, ...deps }: GroupCommitDependencies) {
    this.#deps = { ...deps, stopped: () => this.#stopped };
    this.#epoch = epoch;
    this.#limits = limits;
  }

  /** Bytes that were taken and are not known to be in the engine. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Resolved when the engine has the batch.
   * @param token of its insert, where somebody else may send the same batch; without, it goes in
   * together with others
   * @throws NotConfirmed, and what the engine says of a batch that it refuses
   */
  add(dataset: StoredDataset, batch: Batch, token?: string): Promise<void> {
    const queue = this.#queues.get(dataset.id) ?? { dataset, waiting: [], running: undefined };
    this.#queues.set(dataset.id, queue);
    this.#bytes += batch.bytes;
    return new Promise((resolve, reject) => {
      let isLeft = false;
      const late = setTimeout(() => {
        isLeft = true;
        reject(new NotConfirmed());
      }, this.#limits.acceptMilliseconds);
      const over = (): void => {
        clearTimeout(late);
        this.#bytes -= batch.bytes;
      };
      queue.waiting.push({
        batch,
        ...(token !== undefined && { token }),
        isLeft: () => isLeft,
        stored: () => {
          over();
          resolve();
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

  /** Never rejects. */
  async #run(queue: Queue): Promise<void> {
    const { groupMilliseconds } = this.#limits;
    while (queue.waiting.length > 0) {
      if (groupMilliseconds > 0) await sleep(groupMilliseconds);
      await this.#slots.run(queue, () => this.#next(queue));
    }
    queue.running = undefined;
    this.#queues.delete(queue.dataset.id);
  }

  async #next(queue: Queue): Promise<void> {
    const members = nextMembers(queue.waiting, this.#limits.insertBytes);
    const taken = new Set(members);
    for (const member of queue.waiting) if (member.isLeft() && !taken.has(member)) member.refused(new NotConfirmed());
    queue.waiting = queue.waiting.filter((member) => !taken.has(member) && !member.isLeft());
    if (members.length === 0) return;
    const token = members[0]!.token ?? `${this.#epoch}-${this.#life}-${++this.#groups}`;
    await storeGroup(this.#deps, { dataset: queue.dataset, members, token });
  }
}
