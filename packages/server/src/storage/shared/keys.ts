import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Engine } from '@millrace/engine';
import { httpError } from '../../errors.js';
import type { Connection, Database } from '../../metadata/database.js';
import type { Accepted } from '../acceptance.js';
import type { Idempotency } from '../frame.js';
import type { Answers, RememberedAnswer } from '../remembered-answers.js';
import { rowsPerBatch } from '../tables/rows-of-batches.js';
import { NotConfirmed } from './not-confirmed.js';

interface Keyed extends Idempotency {
  readonly datasetId: number;
  readonly arrival: bigint;
  readonly rows: number;
}

interface KeysDependencies {
  readonly engine: Engine;
  readonly database: Database;
  readonly answers: Answers;
  /** For how long somebody who stores the events of a key is waited for, milliseconds. */
  readonly patience: number;
}

/** Whose turn it is to store the events of a key. */
type Claimed =
  | { readonly kind: 'mine'; readonly position: bigint; readonly arrival: bigint; readonly again: boolean }
  | { readonly kind: 'done'; readonly position: bigint }
  | { readonly kind: 'others' };

const pollMilliseconds = 50;

/**
 * Idempotency keys where several processes take events. Who begins a key reserves a position and a
 * token for it in the metadata; whoever finds that nobody is at work on it any more goes on with
 * the same position, token and time of arrival, so the engine keeps one of the two, whoever is
 * first.
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
   * @param reserve gives a position
   * @throws HttpError `key-reused`, NotConfirmed when somebody else is at work on it for long, and
   * what `store` throws
   */
  async once(
    request: Keyed,
    reserve: () => bigint,
    store: (position: bigint, arrival: bigint, token: string) => Promise<void>,
  ): Promise<Accepted> {
    const until = performance.now() + this.#deps.patience;
    for (;;) {
      const claimed = await this.#claim(request, reserve);
      switch (claimed.kind) {
        case 'done':
          return { position: claimed.position, repeated: true };
        case 'mine':
          await this.#store(request, claimed, store);
          return { position: claimed.position };
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

  async #store(
    { datasetId, key, answer, rows }: Keyed,
    { position, arrival, again }: Extract<Claimed, { kind: 'mine' }>,
    store: (position: bigint, arrival: bigint, token: string) => Promise<void>,
  ): Promise<void> {
    // The engine forgets tokens in time.
    const present = again ? await rowsPerBatch(this.#deps.engine, datasetId, position, position) : new Map();
    try {
      if (present.get(position) !== rows) await store(position, arrival, `key-${position}`);
    } catch (error) {
      // Somebody else may try at once.
      if (!(error instanceof NotConfirmed)) await this.#release(datasetId, key).catch(() => undefined);
      throw error;
    }
    await this.#done(datasetId, key, position, answer);
  }

  #claim(request: Keyed, reserve: () => bigint): Promise<Claimed> {
    const { datasetId, key, answer, arrival } = request;
    return this.#deps.database.transaction().execute(async (connection): Promise<Claimed> => {
      const known = await this.#deps.answers.find(datasetId, key, connection);
      if (known !== undefined) {
        requireSame(key, known.answer, answer);
        return { kind: 'done', position: known.position };
      }
      const pending = await this.#pending(connection, datasetId, key);
      if (pending === undefined) {
        const position = reserve();
        await sql`
          INSERT INTO pending_keys (dataset_id, key, position, arrival, answer)
          VALUES (${datasetId}, ${key}, ${String(position)}, ${String(arrival)}, ${answer})`.execute(connection);
        return { kind: 'mine', position, arrival, again: false };
      }
      requireSame(key, pending.answer, answer);
      if (!pending.left) return { kind: 'others' };
      await sql`UPDATE pending_keys SET taken = now() WHERE dataset_id = ${datasetId} AND key = ${key}`.execute(
        connection,
      );
      return { kind: 'mine', position: BigInt(pending.position), arrival: BigInt(pending.arrival), again: true };
    });
  }

  async #pending(connection: Connection, datasetId: number, key: string) {
    const patience = `${2 * this.#deps.patience} milliseconds`;
    const { rows } = await sql<{ position: string; arrival: string; answer: string; left: boolean }>`
      SELECT position, arrival, answer, taken < now() - CAST(${patience} AS interval) AS left
      FROM pending_keys WHERE dataset_id = ${datasetId} AND key = ${key}`.execute(connection);
    return rows[0];
  }

  async #release(datasetId: number, key: string): Promise<void> {
    await sql`UPDATE pending_keys SET taken = to_timestamp(0) WHERE dataset_id = ${datasetId} AND key = ${key}`.execute(
      this.#deps.database,
    );
  }

  async #done(datasetId: number, key: string, position: bigint, answer: string): Promise<void> {
    await this.#deps.database.transaction().execute(async (connection) => {
      await this.#deps.answers.keep(datasetId, [{ position, idempotency: { key, answer } }], connection);
      await sql`DELETE FROM pending_keys WHERE dataset_id = ${datasetId} AND key = ${key}`.execute(connection);
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
