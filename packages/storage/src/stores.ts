import { IdempotencyStore } from './idempotency-store.js';
import { FieldStore } from './fields/field-store.js';
import { InventoryStore } from './inventory/inventory-store.js';
import { type InsertSource, InsertIntents } from './insert/intents.js';
import { QuarantinedBatches } from './insert/quarantine.js';
import type { StorageOptions } from './storage-options.js';
import { SettingsRecord } from './tables/settings-record.js';

/** Persistent state of the storage, in the metadata. */
export interface Stores {
  readonly fieldStore: FieldStore;
  readonly idempotencyStore: IdempotencyStore;
  readonly quarantine: QuarantinedBatches;
  readonly settingsRecord: SettingsRecord;
  readonly inventoryStore: InventoryStore;
  /** Inserts that may be in flight, where tables are replicated. */
  readonly pins?: Readonly<Record<InsertSource, InsertIntents>>;
}

export const openStores = async ({ database, engine, limits, retentionClock }: StorageOptions): Promise<Stores> => ({
  fieldStore: new FieldStore(database),
  idempotencyStore: new IdempotencyStore(database, limits, retentionClock),
  quarantine: await QuarantinedBatches.open(database),
  settingsRecord: new SettingsRecord(database),
  inventoryStore: new InventoryStore(database),
  ...(engine.replication !== undefined && {
    pins: { log: await InsertIntents.open(database, 'log'), refused: await InsertIntents.open(database, 'refused') },
  }),
});
