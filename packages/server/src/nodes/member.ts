import type { Logger } from 'pino';
import { runEvery } from '../async/run-every.js';
import type { Duty } from '../metadata/postgres/duty.js';
import type { NodeRecord, Nodes } from '../metadata/postgres/nodes.js';
import type { Node } from './node.js';

interface MemberOptions {
  readonly nodes: Pick<Nodes, 'beat' | 'leave' | 'list'>;
  readonly duty: Pick<Duty, 'beat' | 'end' | 'has'>;
  readonly epoch: bigint;
  readonly logger: Logger;
}

/** Often enough that a process which ended is known to be gone in some seconds. */
const beatMilliseconds = 2000;

/** One of several processes that share the events. */
export class Member implements Node {
  readonly #options: MemberOptions;
  readonly #stopBeating: () => Promise<void>;
  #url = '';
  #live = 1;
  #isKnown = true;
  #wasOnDuty = false;
  #learn: () => Promise<void> = async () => undefined;

  constructor(options: MemberOptions) {
    this.#options = options;
    this.#stopBeating = runEvery(beatMilliseconds, () => this.beat());
  }

  get epoch(): bigint {
    return this.#options.epoch;
  }

  /** Whether the number is still this process's own, as far as it knows. */
  get isKnown(): boolean {
    return this.#isKnown;
  }

  onDuty(): boolean {
    return this.#options.duty.has;
  }

  live(): number {
    return this.#live;
  }

  list(): Promise<readonly NodeRecord[]> {
    return this.#options.nodes.list();
  }

  listening(url: string): void {
    this.#url = url;
    void this.beat();
  }

  /**
   * @param learn takes over what other processes have changed: one that nobody asks anything still
   * holds what they have deleted
   */
  keepUp(learn: () => Promise<void>): void {
    this.#learn = learn;
  }

  /**
   * Never rejects: without the database there is nothing to be seen in, and every request says so.
   */
  async beat(): Promise<void> {
    const { nodes, duty, epoch, logger } = this.#options;
    await duty.beat();
    if (duty.has !== this.#wasOnDuty) {
      this.#wasOnDuty = duty.has;
      logger.info(
        duty.has
          ? 'this node runs monitors, retention and merges now'
          : 'another node runs monitors, retention and merges',
      );
    }
    try {
      const { live, known } = await nodes.beat(epoch, this.#url);
      this.#live = live;
      if (this.#isKnown && !known)
        logger.error('the database has forgotten this node, which takes no events any more: start it again');
      this.#isKnown = known;
      await this.#learn();
    } catch {
      // The next beat tries again.
    }
  }

  async leave(): Promise<void> {
    const { nodes, duty, epoch } = this.#options;
    await this.#stopBeating();
    await duty.end();
    await nodes.leave(epoch).catch(() => undefined);
  }
}
