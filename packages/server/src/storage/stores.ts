import { Answers } from './remembered-answers.js';
import { FieldStore } from './fields/field-store.js';
import { InventoryStore } from './inventory/inventory-store.js';
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
}

export const openStores = async ({ database, limits, aging }: StorageOptions): Promise<Stores> => ({
  fieldStore: new FieldStore(database),
  answers: new Answers(database, limits.idempotencyWindow, aging),
  refused: await RefusedBatches.open(database),
  settingsRecord: new SettingsRecord(database),
  inventoryStore: new InventoryStore(database),
});
