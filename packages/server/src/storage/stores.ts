import type { Database } from '../metadata/database.js';
import { type Answers, openAnswers } from './answers.js';
import { type FieldStore, openFieldStore } from './fields/field-store.js';
import { openRefusedBatches, type RefusedBatches } from './insert/refused.js';
import { openSettingsRecord, type SettingsRecord } from './tables/settings-record.js';

/** What the storage remembers between starts, in the metadata. */
export interface Stores {
  readonly fieldStore: FieldStore;
  readonly answers: Answers;
  readonly refused: RefusedBatches;
  readonly settingsRecord: SettingsRecord;
}

/** @param answerMilliseconds how long answers to requests with an idempotency key are remembered */
export const openStores = async (database: Database, answerMilliseconds: number): Promise<Stores> => ({
  fieldStore: openFieldStore(database),
  answers: openAnswers(database, answerMilliseconds),
  refused: await openRefusedBatches(database),
  settingsRecord: openSettingsRecord(database),
});
