import type { ColdTier } from './cold/cold-unavailable-error.js';
import { runEvery } from '@millrace/runtime/async/run-every';
import { TieringJob } from './cold/tiering.js';
import type { Inventory } from './inventory/inventory.js';
import type { StorageOptions } from './storage-options.js';
import type { StorageParts } from './storage-parts.js';
import type { Stores } from './stores.js';

/** How often expired responses are deleted. */
const expireMilliseconds = 10 * 60_000;

/** Work of a storage that no request waits for. */
export class BackgroundJobs {
  readonly #options: StorageOptions & Stores;
  readonly #parts: StorageParts;
  readonly #inventory: Inventory;
  /** Undefined without a cold tier. */
  #cold: TieringJob | undefined;
  #stopExpiring: () => Promise<void> = async () => undefined;

  constructor(options: StorageOptions & Stores, parts: StorageParts, inventory: Inventory) {
    this.#options = options;
    this.#parts = parts;
    this.#inventory = inventory;
  }

  /** Starts all jobs; to be called after recovery: batches not yet read would count as stored. */
  async start(): Promise<void> {
    const { truncator, settingsUpgrade, jsonMigration, indexBuilder, retries } = this.#parts;
    const { engine, logger, retentionClock = Date.now, cold, moved = () => undefined } = this.#options;
    const { idempotencyStore } = this.#options;
    truncator.start();
    settingsUpgrade.start();
    jsonMigration.start();
    if (cold !== undefined) this.#cold = new TieringJob({ engine, logger, retentionClock, limits: cold, moved });
    indexBuilder?.start();
    await retries.start();
    this.#stopExpiring = runEvery(
      expireMilliseconds,
      () => idempotencyStore.expire(),
      (error) => logger.warn({ err: error }, 'could not delete expired idempotency keys'),
    );
  }

  /** Bytes of events in a bucket. */
  get coldBytes(): number {
    return this.#cold?.bytes ?? 0;
  }

  /** The cold tier, if there is one. */
  get coldTier(): ColdTier | undefined {
    return this.#cold;
  }

  /** Whether the bucket of the cold tier cannot be reached. */
  get isBucketAway(): boolean {
    return this.#cold?.away === true;
  }

  /** Whether all merges and index parts due soon are done. */
  get areIdle(): boolean {
    return this.#parts.merges.done && this.#parts.indexBuilder?.done !== false;
  }

  /** Ends all jobs in order, inserts what it can, and makes room in the log. */
  async close(): Promise<void> {
    const { flusher, truncator, merges, settingsUpgrade, jsonMigration, indexBuilder, retries } = this.#parts;
    await this.#stopExpiring();
    await this.#inventory.stop();
    await settingsUpgrade.stop();
    await jsonMigration.stop();
    await this.#cold?.stop();
    await retries.stop();
    await indexBuilder?.stop();
    await flusher.flushAll();
    await merges.stop();
    this.stop();
    await truncator.makeRoom();
  }

  /** Stops at once, without flushing; `close` ends with this. */
  stop(): void {
    const { flusher, truncator, interruptedDeletions, merges, settingsUpgrade, jsonMigration } = this.#parts;
    flusher.stop();
    truncator.stop();
    interruptedDeletions.stop();
    void this.#stopExpiring();
    void this.#inventory.stop();
    void merges.stop();
    void settingsUpgrade.stop();
    void jsonMigration.stop();
    void this.#parts.indexBuilder?.stop();
    void this.#parts.retries.stop();
  }
}
