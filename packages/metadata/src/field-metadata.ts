import { httpError } from '@millrace/api/errors';
import type { Connection, Database, Tables } from './database.js';
import type { DatasetRef } from './datasets.js';
import { type Quota, requireRoom, rowsIn, unlimitedQuota } from './quota.js';
import { spellingOf } from './sql-dialect.js';

/** Description of a field by users; its type comes from the events. */
interface FieldMetadata {
  readonly unit: string;
  readonly hidden: boolean;
  readonly description: string;
}

export const noFieldMetadata: FieldMetadata = { unit: '', hidden: false, description: '' };

/** Unit, description and visibility of fields; disappears with the dataset. */
export class FieldMetadataStore {
  readonly #database: Database;
  readonly #datasetsVersion: () => number;
  readonly #quota: Quota;
  #writes = 0;
  /** Descriptions read at a version, by dataset ID: every query reads them. */
  #cache: { readonly version: string; readonly fields: Map<number, ReadonlyMap<string, FieldMetadata>> } | undefined;

  /**
   * @param datasetsVersion changes when a dataset was deleted, together with its fields'
   * descriptions
   * @param quota for the fields of each dataset, and for the bytes of all: described fields need
   * not exist, so their number is otherwise unlimited
   */
  constructor(database: Database, datasetsVersion: () => number, quota = unlimitedQuota) {
    this.#database = database;
    this.#datasetsVersion = datasetsVersion;
    this.#quota = quota;
  }

  /** The descriptions of a dataset's fields, by field name; undescribed fields are absent. */
  async of(datasetId: number): Promise<ReadonlyMap<string, FieldMetadata>> {
    const version = `${this.#writes} ${this.#datasetsVersion()}`;
    if (this.#cache?.version !== version) this.#cache = { version, fields: new Map() };
    // After a change these are no longer used.
    const { fields } = this.#cache;
    const read = fields.get(datasetId) ?? (await this.#read(datasetId));
    fields.set(datasetId, read);
    return read;
  }

  async #read(datasetId: number): Promise<ReadonlyMap<string, FieldMetadata>> {
    const spelling = spellingOf(this.#database);
    const rows = await this.#database
      .selectFrom('fields')
      .select(['unit', 'hidden', 'description'])
      .select(spelling.asJson('name').as('name'))
      .where('dataset_id', '=', datasetId)
      .orderBy('fields.name')
      .execute();
    return new Map(rows.map(({ name, ...row }) => [spelling.read(name) as string, recordOf(row)]));
  }

  /**
   * Sets the properties given; the others stay.
   * @throws HttpError `quota-reached`, `dataset-not-found` when it was deleted in the meantime
   */
  async update(dataset: DatasetRef, name: string, change: Partial<FieldMetadata>): Promise<FieldMetadata> {
    try {
      return await this.#write(dataset, name, change);
    } finally {
      this.recordWrite();
    }
  }

  /** After a change, committed or not: later reads query the database. */
  recordWrite(): void {
    this.#writes++;
  }

  /** Number of described fields of the dataset, and bytes of all datasets together. */
  async #describedQuota(connection: Connection, datasetId: number): Promise<Quota> {
    const { records } = await connection
      .selectFrom('fields')
      .select(({ fn }) => fn.countAll<number>().as('records'))
      .where('dataset_id', '=', datasetId)
      .executeTakeFirstOrThrow();
    return { ...(await rowsIn(connection, 'fields')), records: Number(records) };
  }

  #write(dataset: DatasetRef, name: string, change: Partial<FieldMetadata>): Promise<FieldMetadata> {
    const { datasetId } = dataset;
    return this.#database.transaction().execute(async (connection) => {
      const found = await connection.selectFrom('datasets').select('id').where('id', '=', datasetId).executeTakeFirst();
      if (found === undefined) throw httpError('dataset-not-found', { name: dataset.name });
      const row = await connection
        .selectFrom('fields')
        .selectAll()
        .where('dataset_id', '=', datasetId)
        .where('name', '=', name)
        .executeTakeFirst();
      const present = row === undefined ? noFieldMetadata : recordOf(row);
      const { unit = present.unit, hidden = present.hidden, description = present.description } = change;
      const values = { unit, hidden: Number(hidden), description };
      await connection
        .insertInto('fields')
        .values({ dataset_id: datasetId, name, ...values })
        .onConflict((conflict) => conflict.columns(['dataset_id', 'name']).doUpdateSet(values))
        .execute();
      const isLonger = description.length + unit.length > present.description.length + present.unit.length;
      if (row === undefined || isLonger)
        requireRoom('described field', await this.#describedQuota(connection, datasetId), this.#quota);
      return { unit, hidden, description };
    });
  }
}

function recordOf(row: Omit<Tables['fields'], 'dataset_id' | 'name'>): FieldMetadata {
  return { unit: row.unit, hidden: row.hidden !== 0, description: row.description };
}
