import type { Logger } from 'pino';
import { runEvery } from '../async/run-every.js';
import type { Clock } from '../metadata/clock.js';
import { MetadataError } from '../metadata/metadata-error.js';
import type { Duty } from '../metadata/postgres/duty.js';
import type { NodeRecord, Nodes } from '../metadata/postgres/nodes.js';
import type { Node } from './node.js';

interface MemberOptions {
  readonly nodes: Pick<Nodes, 'beat' | 'leave' | 'list'>;
  readonly duty: Pick<Duty, 'beat' | 'end' | 'has' | 'release'>;
  readonly epoch: bigint;
  readonly logger: Logger;
  /** Of this machine. */
  readonly clock?: Clock;
}

/** Often enough that a process which ended is known to be gone in some seconds. */
const beatMilliseconds = 2000;
/** A clock that is wrong by more than this is told of. */
const toleratedMilliseconds = 5 * 60_000;

/** One of several processes that share the events. */
export class Member implements Node {
  readonly #options: MemberOptions;
  readonly #stopBeating: () => Promise<void>;
  #url = '';
  #live = 1;
  #isKnown = true;
  #wasOnDuty = false;
  /** Whether a newer version has changed what this one cannot go on with. */
  #isOutdated = false;
  /** By how many milliseconds the clock of this machine is ahead of the database's. */
  #ahead = 0;
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

  /**
   * The database's, so that it is the same for all: whoever asks for what is new finds what another
   * process has just taken.
   */
  readonly clock: Clock = () => (this.#options.clock ?? Date.now)() - this.#ahead;

  /** For the operator. */
  get remarks(): readonly string[] {
    if (this.#isOnTime) return [];
    const minutes = Math.round(Math.abs(this.#ahead) / 60_000);
    const how = this.#ahead > 0 ? 'ahead of' : 'behind';
    return [
      `the clock of this machine is ${minutes} minutes ${how} that of the database, by which this node goes instead`,
    ];
  }

  get #isOnTime(): boolean {
    return Math.abs(this.#ahead) <= toleratedMilliseconds;
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
    const { duty, logger } = this.#options;
    await this.#beSeen();
    if (this.#isOutdated) duty.release();
    else await duty.beat();
    if (duty.has !== this.#wasOnDuty) {
      this.#wasOnDuty = duty.has;
      logger.info(
        duty.has
          ? 'this node runs monitors, retention and merges now'
          : 'another node runs monitors, retention and merges',
      );
    }
  }

  /** Never rejects. */
  async #beSeen(): Promise<void> {
    const { nodes, epoch, logger } = this.#options;
    try {
      const before = this.clock();
      const { live, known, time } = await nodes.beat(epoch, this.#url);
      this.#live = live;
      this.#compare(time, before, this.clock());
      if (this.#isKnown && !known)
        logger.error('the database has forgotten this node, which takes no events any more: start it again');
      this.#isKnown = known;
      await this.#learn();
      this.#isOutdated = false;
    } catch (error) {
      // The next beat tries again.
      const isOutdated = error instanceof MetadataError && error.code === 'outdated';
      if (isOutdated && !this.#isOutdated)
        logger.error('a newer version has changed the metadata: this node answers nothing any more, start a newer one');
      this.#isOutdated ||= isOutdated;
    }
  }

  /** @param time of the database, some time between two of this process */
  #compare(time: number, before: number, after: number): void {
    const wasOnTime = this.#isOnTime;
    // What lies in between may be the time of the answer, and how long that took. A clock shows
    // whole milliseconds.
    this.#ahead += Math.round(time < before ? before - time : Math.min(0, after - time));
    if (wasOnTime && !this.#isOnTime) this.#options.logger.warn(this.remarks[0]);
    if (!wasOnTime && this.#isOnTime) this.#options.logger.info('the clock of this machine is right again');
  }

  async leave(): Promise<void> {
    const { nodes, duty, epoch } = this.#options;
    await this.#stopBeating();
    await duty.end();
    await nodes.leave(epoch).catch(() => undefined);
  }
}
