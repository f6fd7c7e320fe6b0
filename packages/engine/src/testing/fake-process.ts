import type { Coordination } from '../cluster/coordination.js';
import { EngineError } from '../errors.js';
import { type Connection, UnknownOutcome } from '../remote-connection.js';
import type { ScriptedReplica } from './fake-cluster.js';

/**
 * One of several processes over replicas in memory: its connections to some of them can be cut
 * while those of others work, and it can be suspended between any two lines.
 */
export class ScriptedProcess {
  /** Indexes of the replicas it cannot reach. */
  readonly cut = new Set<number>();
  /** Whether the coordination cannot be reached. */
  isBlind = false;
  #awake: Promise<void> = Promise.resolve();
  #wake: () => void = () => undefined;

  sleep(): void {
    this.wake();
    this.#awake = new Promise((resolve) => (this.#wake = resolve));
  }

  wake(): void {
    this.#wake();
  }

  /** Runs a step with effects outside the process. */
  async #does<T>(work: () => Promise<T>): Promise<T> {
    await this.#awake;
    try {
      return await work();
    } finally {
      await this.#awake;
    }
  }

  #sees<T>(work: () => Promise<T>): Promise<T> {
    return this.#does(() => (this.isBlind ? Promise.reject(new Error('away')) : work()));
  }

  /** Its connection to a replica. */
  pathTo(replica: ScriptedReplica): Connection {
    const isCut = (): boolean => this.cut.has(replica.index);
    const through = <T>(isChange: boolean, work: () => Promise<T>): Promise<T> =>
      this.#does(async () => {
        if (isCut()) throw new EngineError('unavailable', 'ECONNREFUSED', 'elsewhere');
        const answer = await work();
        if (!isCut()) return answer;
        throw isChange ? new UnknownOutcome('ECONNRESET') : new EngineError('unavailable', 'ECONNRESET', 'elsewhere');
      });
    return {
      close: () => replica.close(),
      kill: () => undefined,
      stream: () => replica.stream(),
      ping: (milliseconds) => through(false, () => replica.ping(milliseconds)),
      request: (request) => through(!request.repeatable, () => replica.request(request)),
    };
  }

  /** Wraps the coordination with this process's failures. */
  agreesOn({ leaders, removedTables: removed, mayRepair, isAlone }: Coordination): Coordination {
    return {
      leaders: {
        read: (tableClass) => this.#sees(() => leaders.read(tableClass)),
        replace: (tableClass, before, after) => this.#sees(() => leaders.replace(tableClass, before, after)),
        vote: (reachable) => this.#sees(() => leaders.vote(reachable)),
      },
      removedTables: {
        get known() {
          return removed.known;
        },
        check: () => this.#sees(() => removed.check()),
        add: (table) => this.#sees(() => removed.add(table)),
        addTable: (table) => removed.addTable(table),
        deleteTable: (table) => this.#sees(() => removed.deleteTable(table)),
      },
      mayRepair: () => this.#sees(mayRepair),
      isAlone,
    };
  }
}
