import type { Database } from '../../metadata/database.js';

/** The settings that the tables of all datasets are known to have, kept in the metadata as a text that is only compared. */
export interface SettingsRecord {
  /** Undefined until they have been recorded once. */
  read(): Promise<string | undefined>;
  write(settings: string): Promise<void>;
}

export function openSettingsRecord(database: Database): SettingsRecord {
  return {
    async read() {
      const row = await database.selectFrom('table_settings').select('settings').executeTakeFirst();
      return row?.settings;
    },

    async write(settings) {
      await database.replaceInto('table_settings').values({ id: 1, settings }).execute();
    },
  };
}
