import { parsePhysicalName, physicalName } from '@millrace/events';
import { sql } from 'kysely';
import type { Database } from '../../metadata/database.js';
import type { FieldNews } from './dataset.js';
import type { FieldAndType, InPlaces, Place } from './fields.js';

interface Remembered {
  readonly fields: ReadonlyMap<number, readonly FieldNews[]>;
  readonly checkpoints: ReadonlyMap<number, bigint>;
}

const places = ['column', 'overflow'] as const satisfies readonly (keyof Place)[];

/** What the storage remembers between starts, in the metadata: the fields of each dataset and the position up to which it is never replayed. */
export class FieldStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async load(): Promise<Remembered> {
    const fields = new Map<number, FieldNews[]>();
    // The driver ends a text at its first NUL, so a name with one is read as hexadecimal digits.
    const digits = sql<string | null>`CASE WHEN instr(physical, char(0)) THEN hex(physical) END`.as('digits');
    for (const row of await this.#database.selectFrom('stored_fields').selectAll().select(digits).execute()) {
      const parsed = parsePhysicalName(
        row.digits === null ? row.physical : Buffer.from(row.digits, 'hex').toString('utf8'),
      );
      if (parsed === undefined) continue;
      const list = fields.get(row.dataset_id) ?? [];
      list.push({ ...parsed, where: row.place });
      fields.set(row.dataset_id, list);
    }
    return { fields, checkpoints: await this.checkpoints() };
  }

  /** For each dataset, the position up to which it is never replayed. */
  async checkpoints(): Promise<ReadonlyMap<number, bigint>> {
    const rows = await this.#database.selectFrom('checkpoints').selectAll().execute();
    return new Map(rows.map((row) => [row.dataset_id, BigInt(row.position)]));
  }

  async add(datasetId: number, news: readonly FieldNews[]): Promise<void> {
    await this.#database.transaction().execute(async (transaction) => {
      for (const place of places) {
        const names = news.filter(({ where }) => where === place);
        if (names.length === 0) continue;
        await sql`
          INSERT INTO stored_fields (dataset_id, physical, place)
          SELECT ${datasetId}, value, ${place} FROM json_each(${namesOf(names)}) WHERE true
          ON CONFLICT DO NOTHING`.execute(transaction);
      }
    });
  }

  /** Forgets that values lie there: all of it or, if it fails, nothing. */
  async remove(datasetId: number, gone: InPlaces): Promise<void> {
    await this.#database.transaction().execute(async (transaction) => {
      for (const place of places)
        await sql`
          DELETE FROM stored_fields
          WHERE dataset_id = ${datasetId} AND place = ${place}
            AND physical IN (SELECT value FROM json_each(${namesOf(gone[place])}))`.execute(transaction);
    });
  }

  /** Log positions up to this one are never replayed for the dataset. */
  async checkpoint(datasetId: number, upTo: bigint): Promise<void> {
    const position = String(upTo);
    await this.#database
      .insertInto('checkpoints')
      .values({ dataset_id: datasetId, position })
      .onConflict((conflict) => conflict.column('dataset_id').doUpdateSet({ position }))
      .execute();
  }

  /** Forgets everything about a deleted dataset. */
  async forget(datasetId: number): Promise<void> {
    await this.#database.transaction().execute(async (transaction) => {
      await transaction.deleteFrom('stored_fields').where('dataset_id', '=', datasetId).execute();
      await transaction.deleteFrom('checkpoints').where('dataset_id', '=', datasetId).execute();
    });
  }
}

/** The physical names as one parameter: there may be thousands, and with a parameter for each the statement would cost more than its rows. */
const namesOf = (uses: readonly FieldAndType[]): string =>
  JSON.stringify(uses.map(({ field, type }) => physicalName(field, type)));
