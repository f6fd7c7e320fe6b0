import type { Database } from './database.js';

/** What users say about a field; its type comes from the events. */
export interface FieldMetadata {
  readonly unit: string;
  readonly hidden: boolean;
  readonly description: string;
}

export const noFieldMetadata: FieldMetadata = { unit: '', hidden: false, description: '' };

/** Unit, description and visibility of fields; disappears with the dataset. */
export class FieldMetadataStore {
  readonly #database: Database;
  /** What was read, by dataset number (numbers are never used again): every query asks for it. */
  readonly #known = new Map<number, ReadonlyMap<string, FieldMetadata>>();
  #writes = 0;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The metadata of the fields of a dataset that have any, by field name. */
  async of(datasetId: number): Promise<ReadonlyMap<string, FieldMetadata>> {
    const known = this.#known.get(datasetId);
    if (known !== undefined) return known;
    const writes = this.#writes;
    const read = await this.#read(datasetId);
    // Kept only if nothing was written meanwhile, which it might lack.
    if (writes === this.#writes) this.#known.set(datasetId, read);
    return read;
  }

  async #read(datasetId: number): Promise<ReadonlyMap<string, FieldMetadata>> {
    const rows = await this.#database
      .selectFrom('fields')
      .selectAll()
      .where('dataset_id', '=', datasetId)
      .orderBy('name')
      .execute();
    return new Map(
      rows.map(({ name, unit, hidden, description }) => [name, { unit, hidden: hidden !== 0, description }]),
    );
  }

  /** Sets the members given; the others stay. */
  async update(datasetId: number, name: string, change: Partial<FieldMetadata>): Promise<FieldMetadata> {
    try {
      return await this.#write(datasetId, name, change);
    } finally {
      this.#writes++;
      this.#known.delete(datasetId);
    }
  }

  #write(datasetId: number, name: string, change: Partial<FieldMetadata>): Promise<FieldMetadata> {
    return this.#database.transaction().execute(async (connection) => {
      const row = await connection
        .selectFrom('fields')
        .selectAll()
        .where('dataset_id', '=', datasetId)
        .where('name', '=', name)
        .executeTakeFirst();
      const next = {
        ...noFieldMetadata,
        ...(row === undefined ? {} : { unit: row.unit, hidden: row.hidden !== 0, description: row.description }),
        ...change,
      };
      const values = { unit: next.unit, hidden: Number(next.hidden), description: next.description };
      await connection
        .insertInto('fields')
        .values({ dataset_id: datasetId, name, ...values })
        .onConflict((conflict) => conflict.columns(['dataset_id', 'name']).doUpdateSet(values))
        .execute();
      return next;
    });
  }
}
