import type { Database } from '../../metadata/database.js';

/** In the metadata: the settings that the tables of all datasets are known to have, as a text that only serves to be compared. */
export interface SettingsRecord {
  /** Undefined as long as nobody has looked. */
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
