import { Answers } from './remembered-answers.js';
import { FieldStore } from './fields/field-store.js';
import { InventoryStore } from './inventory/inventory-store.js';
import { type PinLane, Pins } from './insert/pins.js';
import { RefusedBatches } from './insert/refused.js';
import type { StorageOptions } from './storage-options.js';
import { SettingsRecord } from './tables/settings-record.js';

/** What the storage remembers between starts, in the metadata. */
export interface Stores {
  readonly fieldStore: FieldStore;
  readonly answers: Answers;
  readonly refused: RefusedBatches;
  readonly settingsRecord: SettingsRecord;
  readonly inventoryStore: InventoryStore;
  /** Which inserts may be under way, where tables are replicated. */
  readonly pins?: Readonly<Record<PinLane, Pins>>;
}

export const openStores = async ({ database, engine, limits, aging }: StorageOptions): Promise<Stores> => ({
  fieldStore: new FieldStore(database),
  answers: new Answers(database, limits.idempotencyWindow, aging),
  refused: await RefusedBatches.open(database),
  settingsRecord: new SettingsRecord(database),
  inventoryStore: new InventoryStore(database),
  ...(engine.replication !== undefined && {
    pins: { log: await Pins.open(database, 'log'), refused: await Pins.open(database, 'refused') },
  }),
});
