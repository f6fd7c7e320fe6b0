import type { Logger } from 'pino';
import { runEvery } from '@millrace/runtime/async/run-every';
import type { Clock } from '../clock.js';
import { MetadataError } from '../metadata-error.js';
import type { LeaderElection } from '../postgres/leader-election.js';
import type { NodeRecord, Nodes } from '../postgres/nodes.js';
import type { NodeInfo } from './node.js';

interface MemberOptions {
  readonly nodes: Pick<Nodes, 'recordHeartbeat' | 'leave' | 'list'>;
  readonly election: Pick<LeaderElection, 'heartbeat' | 'end' | 'isLeader' | 'release'>;
  readonly epoch: bigint;
  readonly logger: Logger;
  /** Of this machine. */
  readonly clock?: Clock;
}

/** Often enough to detect an ended process within some seconds. */
const beatMilliseconds = 2000;
/** A clock that is wrong by more than this is reported. */
const toleratedMilliseconds = 5 * 60_000;

/** One of several processes that share the events. */
export class ClusterNode implements NodeInfo {
  readonly #options: MemberOptions;
  readonly #stopHeartbeat: () => Promise<void>;
  #url = '';
  #live = 1;
  #isKnown = true;
  #wasLeader = false;
  /** Whether a newer version has changed the metadata incompatibly. */
  #isOutdated = false;
  /** By how many milliseconds the clock of this machine is ahead of the database's. */
  #ahead = 0;
  #learn: () => Promise<void> = async () => undefined;
  #shards = 1;
  #sharedShards = 1;
  #learnShards: (addresses: readonly string[]) => unknown = () => undefined;

  constructor(options: MemberOptions) {
    this.#options = options;
    this.#stopHeartbeat = runEvery(beatMilliseconds, () => this.sendHeartbeat());
  }

  get epoch(): bigint {
    return this.#options.epoch;
  }

  /** Whether the node ID was still this process's own at the last heartbeat. */
  get isKnown(): boolean {
    return this.#isKnown;
  }

  /**
   * The database's clock, so that it is the same for all nodes: a query of recent events finds
   * events that another node has just accepted.
   */
  readonly clock: Clock = () => (this.#options.clock ?? Date.now)() - this.#ahead;

  /** For the operator. */
  get remarks(): readonly string[] {
    if (this.#isOnTime) return [];
    const minutes = Math.round(Math.abs(this.#ahead) / 60_000);
    const how = this.#ahead > 0 ? 'ahead of' : 'behind';
    return [
      `the clock of this machine is ${minutes} minutes ${how} the clock of the database; this node uses the database clock`,
    ];
  }

  get #isOnTime(): boolean {
    return Math.abs(this.#ahead) <= toleratedMilliseconds;
  }

  isLeader(): boolean {
    return this.#options.election.isLeader;
  }

  live(): number {
    return this.#live;
  }

  list(): Promise<readonly NodeRecord[]> {
    return this.#options.nodes.list();
  }

  recordAddress(url: string): void {
    this.#url = url;
    void this.sendHeartbeat();
  }

  /**
   * @param learn loads changes of other processes with each heartbeat: without requests a node
   * would keep what others have deleted
   */
  onHeartbeat(learn: () => Promise<void>): void {
    this.#learn = learn;
  }

  /** How many shards every live process used at the last heartbeat: new datasets go to those. */
  get sharedShards(): number {
    return Math.min(this.#sharedShards, this.#shards);
  }

  /**
   * @param shards how many shards this process uses from now on
   * @param learn called with the recorded addresses when there are more
   */
  useShards(shards: number, learn?: (addresses: readonly string[]) => unknown): void {
    this.#shards = shards;
    if (learn !== undefined) this.#learnShards = learn;
  }

  /**
   * Never rejects: without the database the node is not listed, and every request reports the
   * problem.
   */
  async sendHeartbeat(): Promise<void> {
    const { election, logger } = this.#options;
    await this.#recordHeartbeat();
    if (this.#isOutdated) election.release();
    else await election.heartbeat();
    if (election.isLeader !== this.#wasLeader) {
      this.#wasLeader = election.isLeader;
      logger.info(
        election.isLeader
          ? 'became leader: running monitors, retention and merges'
          : 'another node runs monitors, retention and merges',
      );
    }
  }

  /** Never rejects. */
  async #recordHeartbeat(): Promise<void> {
    const { nodes, epoch, logger } = this.#options;
    try {
      const before = this.clock();
      const { live, known, time, sharedShards, shards } = await nodes.recordHeartbeat(epoch, this.#url, this.#shards);
      this.#live = live;
      this.#sharedShards = sharedShards;
      if (shards.length > this.#shards) void this.#learnShards(shards);
      this.#compare(time, before, this.clock());
      if (this.#isKnown && !known)
        logger.error('node was removed from the cluster and no longer accepts events; restart it');
      this.#isKnown = known;
      await this.#learn();
      this.#isOutdated = false;
    } catch (error) {
      // The next heartbeat tries again.
      const isOutdated = error instanceof MetadataError && error.code === 'outdated';
      if (isOutdated && !this.#isOutdated)
        logger.error(
          'a newer version has upgraded the metadata: this node rejects all requests; start the newer version',
        );
      this.#isOutdated ||= isOutdated;
    }
  }

  /** @param time of the database, between two times of this process */
  #compare(time: number, before: number, after: number): void {
    const wasOnTime = this.#isOnTime;
    // The difference may be the latency of the response. A clock shows whole milliseconds.
    this.#ahead += Math.round(time < before ? before - time : Math.min(0, after - time));
    if (wasOnTime && !this.#isOnTime) this.#options.logger.warn(this.remarks[0]);
    if (!wasOnTime && this.#isOnTime) this.#options.logger.info('clock skew resolved');
  }

  async leave(): Promise<void> {
    const { nodes, election, epoch } = this.#options;
    await this.#stopHeartbeat();
    await election.end();
    await nodes.leave(epoch).catch(() => undefined);
  }
}
