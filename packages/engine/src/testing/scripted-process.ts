import type { Agreement } from '../cluster/agreement.js';
import { EngineError } from '../errors.js';
import { type Connection, UnknownOutcome } from '../remote-connection.js';
import type { ScriptedReplica } from './scripted-cluster.js';

/**
 * One of several processes over replicas in memory: its connections to some of them can be cut
 * while those of others go on, and it can sleep between any two of its lines.
 */
export class ScriptedProcess {
  /** The replicas it cannot reach, by their indexes. */
  readonly cut = new Set<number>();
  /** Whether what it agrees on with others cannot be reached. */
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

  /** Does something that others see. */
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

  /** How it reaches a replica. */
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

  /** What it agrees on with others. */
  agreesOn({ homes, removed, mayRepair, isAlone }: Agreement): Agreement {
    return {
      homes: {
        read: (tableClass) => this.#sees(() => homes.read(tableClass)),
        replace: (tableClass, before, after) => this.#sees(() => homes.replace(tableClass, before, after)),
        vote: (heard) => this.#sees(() => homes.vote(heard)),
      },
      removed: {
        get known() {
          return removed.known;
        },
        look: () => this.#sees(() => removed.look()),
        add: (table) => this.#sees(() => removed.add(table)),
        made: (table) => removed.made(table),
        gone: (table) => this.#sees(() => removed.gone(table)),
      },
      mayRepair: () => this.#sees(mayRepair),
      isAlone,
    };
  }
}
