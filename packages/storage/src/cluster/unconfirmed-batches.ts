import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Engine } from '@millrace/engine';
import type { Database } from '@millrace/metadata/database';
import type { PositionAllocator } from '@millrace/metadata/postgres/position-allocator';
import { certainRows } from '../tables/rows-of-batches.js';
import { NotConfirmed } from './not-confirmed.js';

/** A request without an idempotency key, as it is recognized when its client repeats it. */
export interface UnconfirmedRequest {
  readonly datasetId: number;
  /** Hash of the body, its options and its sender. */
  readonly digest: string;
}

interface UnconfirmedBatch extends UnconfirmedRequest {
  readonly n: number;
  readonly position: bigint;
  readonly rows: number;
}

interface Dependencies {
  readonly engine: Engine;
  readonly database: Database;
  readonly arrivals: Pick<PositionAllocator, 'isOver'>;
  /** How long a repeated request waits for the outcome of the first, milliseconds. */
  readonly patience: number;
}

/**
 * How long a repetition is recognized, as an SQL interval. Clients retry within seconds to minutes;
 * an equal body that comes later is more likely a new event.
 */
const recognitionInterval = '10 minutes';
const pollMilliseconds = 50;
/** Maximum rows kept in memory; during a long outage the newest are the ones still retried. */
const maxBatches = 100_000;

/**
 * Batches whose clients got `not-confirmed`: they may be stored, or may still become so. A client
 * that sends no idempotency key and repeats such a request gets the outcome of the first one,
 * through any process, instead of a second copy of its events. One repetition is answered so; an
 * equal body after that is a new one.
 */
export class UnconfirmedBatches {
  readonly #deps: Dependencies;
  readonly #batches = new Map<string, UnconfirmedBatch[]>();
  #size = 0;
  #last = 0;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Records a batch before its client is answered. @throws MetadataError */
  async add({ datasetId, digest }: UnconfirmedRequest, position: bigint, rows: number): Promise<void> {
    await sql`
      INSERT INTO unconfirmed_batches (dataset_id, digest, position, rows)
      VALUES (${datasetId}, ${digest}, ${String(position)}, ${rows})`.execute(this.#deps.database);
  }

  /** Reads the batches that this or another process added since the last call. */
  async refresh(): Promise<void> {
    const { rows } = await sql<UnconfirmedBatch & { readonly position: string }>`
      SELECT n, dataset_id AS "datasetId", digest, CAST(position AS TEXT) AS position, rows
      FROM unconfirmed_batches WHERE n > ${this.#last} ORDER BY n DESC LIMIT ${maxBatches}`.execute(
      this.#deps.database,
    );
    for (const row of rows.toReversed()) {
      const id = idOf(row);
      this.#batches.set(id, [...(this.#batches.get(id) ?? []), { ...row, position: BigInt(row.position) }]);
      this.#last = Number(row.n);
      this.#size++;
    }
    for (const id of this.#batches.keys()) {
      if (this.#size <= maxBatches) break;
      this.#drop(id);
    }
  }

  /**
   * The position of an earlier attempt of this request if its events are stored; undefined if
   * nothing of it is or will be.
   * @throws NotConfirmed while that is unknown
   */
  async storedPosition(request: UnconfirmedRequest): Promise<bigint | undefined> {
    const id = idOf(request);
    const until = performance.now() + this.#deps.patience;
    for (const batch of this.#batches.get(id) ?? []) {
      if (!(await this.#isOver(batch, until))) throw new NotConfirmed();
      const { engine } = this.#deps;
      const stored = await certainRows(engine, batch.datasetId, batch.position, batch.position);
      const isMine = await this.#claim(id, batch);
      if (isMine && stored.get(batch.position) === Number(batch.rows)) return batch.position;
    }
    return undefined;
  }

  /** Deletes batches that are too old to be repeated. */
  async expire(): Promise<void> {
    const { rows } = await sql<{ readonly n: number }>`
      SELECT COALESCE(max(n), 0) AS n FROM unconfirmed_batches
      WHERE begun < now() - CAST(${recognitionInterval} AS interval)`.execute(this.#deps.database);
    const old = Number(rows[0]?.n ?? 0);
    await sql`DELETE FROM unconfirmed_batches WHERE n <= ${old}`.execute(this.#deps.database);
    for (const [id, batches] of this.#batches) if (batches.every(({ n }) => Number(n) <= old)) this.#drop(id);
  }

  async forget(datasetId: number): Promise<void> {
    await sql`DELETE FROM unconfirmed_batches WHERE dataset_id = ${datasetId}`.execute(this.#deps.database);
  }

  async #isOver({ position }: UnconfirmedBatch, until: number): Promise<boolean> {
    for (;;) {
      if (await this.#deps.arrivals.isOver(position)) return true;
      if (performance.now() >= until) return false;
      await sleep(pollMilliseconds);
    }
  }

  /** Whether this request is the first repetition of the batch that learns its outcome. */
  async #claim(id: string, { n }: UnconfirmedBatch): Promise<boolean> {
    const claimed = await sql`
      DELETE FROM unconfirmed_batches WHERE n = ${n} AND begun > now() - CAST(${recognitionInterval} AS interval)`.execute(
      this.#deps.database,
    );
    const left = (this.#batches.get(id) ?? []).filter((batch) => batch.n !== n);
    this.#drop(id);
    if (left.length > 0) {
      this.#batches.set(id, left);
      this.#size += left.length;
    }
    return claimed.numAffectedRows === 1n;
  }

  #drop(id: string): void {
    this.#size -= this.#batches.get(id)?.length ?? 0;
    this.#batches.delete(id);
  }
}

const idOf = ({ datasetId, digest }: UnconfirmedRequest): string => `${datasetId} ${digest}`;
