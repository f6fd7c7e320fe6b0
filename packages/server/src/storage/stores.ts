import type { Database } from '../metadata/database.js';
import { Answers } from './answers.js';
import { FieldStore } from './fields/field-store.js';
import { RefusedBatches } from './insert/refused.js';
import { SettingsRecord } from './tables/settings-record.js';

/** What the storage remembers between starts, in the metadata. */
export interface Stores {
  readonly fieldStore: FieldStore;
  readonly answers: Answers;
  readonly refused: RefusedBatches;
  readonly settingsRecord: SettingsRecord;
}

/** @param answerMilliseconds how long answers to requests with an idempotency key are remembered */
export const openStores = async (database: Database, answerMilliseconds: number): Promise<Stores> => ({
  fieldStore: new FieldStore(database),
  answers: new Answers(database, answerMilliseconds),
  refused: await RefusedBatches.open(database),
  settingsRecord: new SettingsRecord(database),
});
