import type { Database } from '@millrace/metadata/database';

/**
 * The settings that the tables of all datasets are known to have, stored in the metadata as a text
 * for comparison.
 */
export class SettingsRecord {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Undefined until the first record. */
  async read(): Promise<string | undefined> {
    const row = await this.#database.selectFrom('table_settings').select('settings').executeTakeFirst();
    return row?.settings;
  }

  async write(settings: string): Promise<void> {
    await this.#database
      .insertInto('table_settings')
      .values({ id: 1, settings })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ settings }))
      .execute();
  }
}
