import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Engine, shardOf } from '@millrace/engine';
import { httpError } from '../../errors.js';
import type { Connection, Database } from '../../metadata/database.js';
import type { Arrivals } from '../../metadata/postgres/arrivals.js';
import type { Accepted } from '../acceptance.js';
import type { Idempotency } from '../frame.js';
import type { Answers, RememberedAnswer } from '../remembered-answers.js';
import { deleteBatch } from '../tables/delete-matching.js';
import { certainRows } from '../tables/rows-of-batches.js';
import { tableOf } from '../tables/table-of-dataset.js';
import { giveUpBelow } from './fence.js';
import type { OwnPlace } from './group.js';
import { GivenUp, NotConfirmed } from './not-confirmed.js';

interface Keyed extends Idempotency {
  readonly datasetId: number;
  readonly arrival: bigint;
  readonly rows: number;
}

interface KeysDependencies {
  readonly engine: Engine;
  readonly database: Database;
  readonly answers: Answers;
  readonly arrivals: Pick<Arrivals, 'takeIn' | 'takeOver' | 'doneIn' | 'leaveIn' | 'letGo'>;
  /** For how long somebody who stores the events of a key is waited for, milliseconds. */
  readonly patience: number;
}

/** Stores the events of a key. @throws GivenUp when their place was given up */
type Store = (arrival: bigint, own: OwnPlace) => Promise<unknown>;

interface Mine {
  readonly kind: 'mine';
  readonly position: bigint;
  readonly arrival: bigint;
  /** `again`: somebody else may have stored them. `given-up`: and nobody else ever will, there. */
  readonly since: 'now' | 'again' | 'given-up';
}

/** Whose turn it is to store the events of a key. */
type Claimed = Mine | { readonly kind: 'done'; readonly position: bigint } | { readonly kind: 'others' };

const pollMilliseconds = 50;

/**
 * Idempotency keys where several processes take events. Who begins a key takes a position and a
 * token for it in the metadata; whoever finds that nobody is at work on it any more goes on with
 * the same position, token and time of arrival, so the engine keeps one of the two, whoever is
 * first. A position that was given up meanwhile is looked at, and then another one is taken.
 */
export class Keys {
  readonly #deps: KeysDependencies;

  constructor(deps: KeysDependencies) {
    this.#deps = deps;
  }

  answer(datasetId: number, key: string): Promise<RememberedAnswer | undefined> {
    return this.#deps.answers.find(datasetId, key);
  }

  /**
   * Stores the events of a key unless somebody has, or does.
   * @throws HttpError `key-reused`, NotConfirmed when somebody else is at work on it for long, and
   * what `store` throws
   */
  async once(request: Keyed, store: Store): Promise<Accepted> {
    const until = performance.now() + this.#deps.patience;
    for (;;) {
      const claimed = await this.#claim(request);
      switch (claimed.kind) {
        case 'done':
          return { position: claimed.position, repeated: true };
        case 'mine':
          return { position: await this.#store(request, claimed, store) };
        case 'others':
          if (!(await this.#isOver(request, until))) throw new NotConfirmed();
      }
    }
  }

  /**
   * Waits until whoever stores the events of a key has ended, or hangs; false if that takes too
   * long. Reads only: changes of the metadata take turns.
   */
  async #isOver({ datasetId, key }: Keyed, until: number): Promise<boolean> {
    while (performance.now() < until) {
      await sleep(pollMilliseconds);
      const pending = await this.#pending(this.#deps.database, datasetId, key);
      if (pending === undefined || pending.left) return true;
    }
    return false;
  }

  async #store(request: Keyed, mine: Mine, store: Store): Promise<bigint> {
    let { position, since } = mine;
    try {
      for (;;) {
        // The engine forgets tokens in time.
        const rows = since === 'now' ? 0 : await this.#rowsAt(request.datasetId, position);
        if (rows === request.rows) break;
        try {
          if (since === 'given-up') throw new GivenUp();
          // A position that was put back from a backup may be given again, and no token.
          const token = `key-${position}-${mine.arrival}`;
          await store(mine.arrival, { position, token, repeated: since === 'again' });
          break;
        } catch (error) {
          if (!(error instanceof GivenUp)) throw error;
          position = await this.#moved(request, position);
          since = 'now';
        }
      }
      await this.#done(request, position);
      return position;
    } catch (error) {
      // Somebody else may try at once.
      if (!(error instanceof NotConfirmed)) await this.#release(request, position).catch(() => undefined);
      throw error;
    } finally {
      this.#deps.arrivals.letGo(position);
    }
  }

  async #rowsAt(datasetId: number, position: bigint): Promise<number> {
    return (await certainRows(this.#deps.engine, datasetId, position, position)).get(position) ?? 0;
  }

  #claim(request: Keyed): Promise<Claimed> {
    const { datasetId, key, answer, arrival } = request;
    const { database, answers, arrivals } = this.#deps;
    return database.transaction().execute(async (connection): Promise<Claimed> => {
      const known = await answers.find(datasetId, key, connection);
      if (known !== undefined) {
        requireSame(key, known.answer, answer);
        return { kind: 'done', position: known.position };
      }
      const pending = await this.#pending(connection, datasetId, key);
      if (pending === undefined) {
        const position = await arrivals.takeIn(connection, datasetId, request.rows);
        await sql`
          INSERT INTO pending_keys (dataset_id, key, position, arrival, answer)
          VALUES (${datasetId}, ${key}, ${String(position)}, ${String(arrival)}, ${answer})`.execute(connection);
        return { kind: 'mine', position, arrival, since: 'now' };
      }
      requireSame(key, pending.answer, answer);
      if (!pending.left) return { kind: 'others' };
      await sql`UPDATE pending_keys SET taken = now() WHERE dataset_id = ${datasetId} AND key = ${key}`.execute(
        connection,
      );
      const position = BigInt(pending.position);
      const since = (await arrivals.takeOver(connection, position)) ? 'again' : 'given-up';
      return { kind: 'mine', position, arrival: BigInt(pending.arrival), since };
    });
  }

  /**
   * Takes another position for a key, where nothing more comes at the one that it has.
   * @throws NotConfirmed when somebody else has done so
   */
  async #moved({ datasetId, key, rows }: Keyed, position: bigint): Promise<bigint> {
    const { database, engine, arrivals } = this.#deps;
    // Somebody else may have an insert there that began before it was given up.
    await giveUpBelow(shardOf(engine, tableOf(datasetId)), position + 1n);
    await deleteBatch(engine, datasetId, position);
    const next = await database.transaction().execute(async (connection) => {
      const next = await arrivals.takeIn(connection, datasetId, rows);
      const { numAffectedRows } = await sql`
        UPDATE pending_keys SET position = ${String(next)}, taken = now()
        WHERE dataset_id = ${datasetId} AND key = ${key} AND position = ${String(position)}`.execute(connection);
      // Who follows the order of arrival need not wait for it.
      await arrivals.doneIn(connection, position, 0);
      if (numAffectedRows === 1n) return next;
      arrivals.letGo(next);
      throw new NotConfirmed();
    });
    arrivals.letGo(position);
    return next;
  }

  async #pending(connection: Connection, datasetId: number, key: string) {
    const patience = `${2 * this.#deps.patience} milliseconds`;
    const { rows } = await sql<{ position: string; arrival: string; answer: string; left: boolean }>`
      SELECT position, arrival, answer, taken < now() - CAST(${patience} AS interval) AS left
      FROM pending_keys WHERE dataset_id = ${datasetId} AND key = ${key}`.execute(connection);
    return rows[0];
  }

  /** Others may go on with a key, and the order of arrival without it. */
  async #release({ datasetId, key }: Keyed, position: bigint): Promise<void> {
    await this.#deps.database.transaction().execute(async (connection) => {
      await sql`UPDATE pending_keys SET taken = to_timestamp(0) WHERE dataset_id = ${datasetId} AND key = ${key}`.execute(
        connection,
      );
      await this.#deps.arrivals.leaveIn(connection, position);
    });
  }

  async #done({ datasetId, key, answer, rows }: Keyed, position: bigint): Promise<void> {
    const { database, answers, arrivals } = this.#deps;
    await database.transaction().execute(async (connection) => {
      await answers.keep(datasetId, [{ position, idempotency: { key, answer } }], connection);
      await sql`DELETE FROM pending_keys WHERE dataset_id = ${datasetId} AND key = ${key}`.execute(connection);
      await arrivals.doneIn(connection, position, rows);
    });
  }
}

/** @throws HttpError `key-reused` when the key came with another body, or other options */
function requireSame(key: string, before: string, now: string): void {
  const hashes = (answer: string): string => {
    const { fingerprint, options } = JSON.parse(answer) as {
      readonly fingerprint?: unknown;
      readonly options?: unknown;
    };
    return JSON.stringify([fingerprint, options]);
  };
  if (hashes(before) !== hashes(now)) throw httpError('key-reused', { key });
}
