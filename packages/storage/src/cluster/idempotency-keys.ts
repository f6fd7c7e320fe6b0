import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Engine, shardOf } from '@millrace/engine';
import { httpError } from '@millrace/api/errors';
import type { Connection, Database } from '@millrace/metadata/database';
import { changeOfKey } from '@millrace/metadata/postgres/change-of-key';
import type { PositionAllocator } from '@millrace/metadata/postgres/position-allocator';
import type { WriteResult } from '../writer.js';
import type { Idempotency } from '../frame.js';
import type { IdempotencyStore, StoredResponse } from '../idempotency-store.js';
import { deleteBatch } from '../tables/delete-matching.js';
import { certainRows } from '../tables/rows-of-batches.js';
import { tableOf } from '../tables/table-of-dataset.js';
import { fenceBelow } from './fence.js';
import type { ReservedPosition } from './group.js';
import { PositionFencedError, NotConfirmed } from './not-confirmed.js';

interface KeyedRequest extends Idempotency {
  readonly datasetId: number;
  readonly arrival: bigint;
  readonly rows: number;
}

interface KeysDependencies {
  readonly engine: Engine;
  readonly database: Database;
  readonly idempotencyStore: IdempotencyStore;
  readonly arrivals: Pick<PositionAllocator, 'takeIn' | 'takeOver' | 'doneIn' | 'leaveIn' | 'release'>;
  /** How long to wait for another process that is storing the events of a key, milliseconds. */
  readonly patience: number;
}

/** Stores the events of a key. @throws PositionFencedError when their position was fenced */
type Store = (arrival: bigint, own: ReservedPosition) => Promise<unknown>;

interface KeyClaim {
  readonly kind: 'claimed';
  readonly position: bigint;
  readonly arrival: bigint;
  /**
   * `again`: another process may have stored them. `fenced`: the position is fenced, so nothing
   * more is stored there.
   */
  readonly since: 'now' | 'again' | 'fenced';
}

/** Which process stores the events of a key. */
type ClaimResult = KeyClaim | { readonly kind: 'done'; readonly position: bigint } | { readonly kind: 'others' };

const pollMilliseconds = 50;

/**
 * Idempotency keys with several ingesting processes. The first process to use a key stores a
 * position and a token for it in the metadata. If that process stops, another one continues with
 * the same position, token and ingest time, so the engine keeps only the first of the two inserts.
 * If the position was fenced in the meantime, its rows are counted, and the events get another
 * position if needed.
 */
export class IdempotencyKeys {
  readonly #deps: KeysDependencies;

  constructor(deps: KeysDependencies) {
    this.#deps = deps;
  }

  answer(datasetId: number, key: string): Promise<StoredResponse | undefined> {
    return this.#deps.idempotencyStore.find(datasetId, key);
  }

  /**
   * Stores the events of a key unless they are stored, or another process is storing them.
   * @throws HttpError `key-reused`, NotConfirmed when another process takes too long, and the
   * errors of `store`
   */
  async storeOnce(request: KeyedRequest, store: Store): Promise<WriteResult> {
    const until = performance.now() + this.#deps.patience;
    for (;;) {
      const claimed = await this.#claim(request);
      switch (claimed.kind) {
        case 'done':
          return { position: claimed.position, repeated: true };
        case 'claimed':
          return { position: await this.#store(request, claimed, store) };
        case 'others':
          if (!(await this.#isOver(request, until))) throw new NotConfirmed();
      }
    }
  }

  /**
   * Waits until the process that stores the events of a key has ended, or hangs; false if that
   * takes too long. Only reads, because the process that stores them needs the lock of the key.
   */
  async #isOver({ datasetId, key }: KeyedRequest, until: number): Promise<boolean> {
    while (performance.now() < until) {
      await sleep(pollMilliseconds);
      const pending = await this.#pendingKey(this.#deps.database, datasetId, key);
      if (pending === undefined || pending.left) return true;
    }
    return false;
  }

  async #store(request: KeyedRequest, claim: KeyClaim, store: Store): Promise<bigint> {
    let { position, since } = claim;
    try {
      for (;;) {
        // The engine forgets tokens after a while.
        const rows = since === 'now' ? 0 : await this.#rowsAt(request.datasetId, position);
        if (rows === request.rows) break;
        try {
          if (since === 'fenced') throw new PositionFencedError();
          // A position may be assigned again after a restore from a backup, but a token must be
          // unique.
          const token = `key-${position}-${claim.arrival}`;
          await store(claim.arrival, { position, token, repeated: since === 'again' });
          break;
        } catch (error) {
          if (!(error instanceof PositionFencedError)) throw error;
          position = await this.#movePosition(request, position);
          since = 'now';
        }
      }
      await this.#recordStored(request, position);
      return position;
    } catch (error) {
      // Another process may try at once.
      if (!(error instanceof NotConfirmed)) await this.#release(request, position).catch(() => undefined);
      throw error;
    } finally {
      this.#deps.arrivals.release(position);
    }
  }

  async #rowsAt(datasetId: number, position: bigint): Promise<number> {
    return (await certainRows(this.#deps.engine, datasetId, position, position)).get(position) ?? 0;
  }

  /** Runs a change that waits for those of the same key only. */
  #change<T>({ datasetId, key }: KeyedRequest, work: (connection: Connection) => Promise<T>): Promise<T> {
    return changeOfKey(this.#deps.database, `idempotency ${datasetId} ${key}`, work);
  }

  #claim(request: KeyedRequest): Promise<ClaimResult> {
    const { datasetId, key, answer, arrival } = request;
    const { idempotencyStore, arrivals } = this.#deps;
    return this.#change(request, async (connection): Promise<ClaimResult> => {
      const known = await idempotencyStore.find(datasetId, key, connection);
      if (known !== undefined) {
        requireSame(key, known.answer, answer);
        return { kind: 'done', position: known.position };
      }
      const pending = await this.#pendingKey(connection, datasetId, key);
      if (pending === undefined) {
        const position = await arrivals.takeIn(connection, datasetId, request.rows);
        await sql`
          INSERT INTO pending_keys (dataset_id, key, position, arrival, answer)
          VALUES (${datasetId}, ${key}, ${String(position)}, ${String(arrival)}, ${answer})`.execute(connection);
        return { kind: 'claimed', position, arrival, since: 'now' };
      }
      requireSame(key, pending.answer, answer);
      if (!pending.left) return { kind: 'others' };
      await sql`UPDATE pending_keys SET taken = now() WHERE dataset_id = ${datasetId} AND key = ${key}`.execute(
        connection,
      );
      const position = BigInt(pending.position);
      const since = (await arrivals.takeOver(connection, position)) ? 'again' : 'fenced';
      return { kind: 'claimed', position, arrival: BigInt(pending.arrival), since };
    });
  }

  /**
   * Moves a key to another position, after making sure that nothing more is stored at the old one.
   * @throws NotConfirmed when another process has done so
   */
  async #movePosition(request: KeyedRequest, position: bigint): Promise<bigint> {
    const { datasetId, key, rows } = request;
    const { engine, arrivals } = this.#deps;
    // Another process may have an insert there that began before the fencing.
    await fenceBelow(shardOf(engine, tableOf(datasetId)), position + 1n);
    await deleteBatch(engine, datasetId, position);
    const next = await this.#change(request, async (connection) => {
      const next = await arrivals.takeIn(connection, datasetId, rows);
      const { numAffectedRows } = await sql`
        UPDATE pending_keys SET position = ${String(next)}, taken = now()
        WHERE dataset_id = ${datasetId} AND key = ${key} AND position = ${String(position)}`.execute(connection);
      // Readers of the ingest order need not wait for it.
      await arrivals.doneIn(connection, position, 0);
      if (numAffectedRows === 1n) return next;
      arrivals.release(next);
      throw new NotConfirmed();
    });
    arrivals.release(position);
    return next;
  }

  async #pendingKey(connection: Connection, datasetId: number, key: string) {
    const patience = `${2 * this.#deps.patience} milliseconds`;
    const { rows } = await sql<{ position: string; arrival: string; answer: string; left: boolean }>`
      SELECT position, arrival, answer, taken < now() - CAST(${patience} AS interval) AS left
      FROM pending_keys WHERE dataset_id = ${datasetId} AND key = ${key}`.execute(connection);
    return rows[0];
  }

  /** Releases a key for other processes, and its position for fencing. */
  async #release(request: KeyedRequest, position: bigint): Promise<void> {
    const { datasetId, key } = request;
    await this.#change(request, async (connection) => {
      await sql`UPDATE pending_keys SET taken = to_timestamp(0) WHERE dataset_id = ${datasetId} AND key = ${key}`.execute(
        connection,
      );
      await this.#deps.arrivals.leaveIn(connection, position);
    });
  }

  async #recordStored(request: KeyedRequest, position: bigint): Promise<void> {
    const { datasetId, key, answer, rows } = request;
    const { idempotencyStore, arrivals } = this.#deps;
    await this.#change(request, async (connection) => {
      await idempotencyStore.keep(datasetId, [{ position, idempotency: { key, answer } }], connection);
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
