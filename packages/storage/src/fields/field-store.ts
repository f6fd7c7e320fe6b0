import { type FieldType, physicalName, typeOfMark } from '@millrace/events';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '@millrace/metadata/database';
import { spellingOf } from '@millrace/metadata/sql-dialect';
import type { SchemaChange, StoredDataset } from './dataset.js';
import type { FieldAndType, InPlaces, Place } from './fields.js';

/** Fields of one dataset. */
interface KnownFields {
  readonly datasetId: number;
  readonly fields: readonly SchemaChange[];
}

/**
 * Called with a row; the name of the field is a part of `text`. There may be millions, and creating
 * an object for each would take longer than everything else.
 */
type Visit = (datasetId: number, type: FieldType, where: keyof Place, text: string, from: number, end: number) => void;

/** Reads `7ostatus#i`: dataset 7 has the field `status`, an integer, in its overflow column. */
function visitRow(row: string, visit: Visit): void {
  let from = 0;
  let datasetId = 0;
  for (let digit = digitAt(row, from); digit >= 0 && digit <= 9; digit = digitAt(row, ++from))
    datasetId = 10 * datasetId + digit;
  const where = row.startsWith(firstLetter.column, from) ? 'column' : 'overflow';
  const end = row.lastIndexOf('#');
  const type = typeOfMark(row.slice(end + 1));
  if (end > from && type !== undefined) visit(datasetId, type, where, row, from + 1, end);
}

const digitAt = (text: string, at: number): number => text.charCodeAt(at) - 0x30;
const firstLetter = { column: 'c', overflow: 'o' } as const satisfies Readonly<Record<keyof Place, string>>;

/** Names written per transaction, which blocks all else: some milliseconds. */
const namesAtOnce = 2000;

const places = ['column', 'overflow'] as const satisfies readonly (keyof Place)[];

/**
 * Persistent state of the storage, in the metadata: the fields of each dataset and the position up
 * to which it is never replayed.
 */
export class FieldStore {
  readonly #database: Database;
  readonly #rowsAtOnce: number;

  /** @param rowsAtOnce rows per loaded chunk; the default takes some milliseconds */
  constructor(database: Database, rowsAtOnce = 10_000) {
    this.#rowsAtOnce = rowsAtOnce;
    this.#database = database;
  }

  /** Adds the stored fields to datasets without any. */
  async restore(datasets: ReadonlyMap<number, StoredDataset>): Promise<void> {
    for (const [datasetId, count] of await this.#counts()) datasets.get(datasetId)?.fields.expect(count);
    const add: Visit = (datasetId, type, where, text, from, end) =>
      void datasets.get(datasetId)?.fields.addPart(text, from, end, type, where);
    for await (const rows of this.#pieces()) for (const row of rows) visitRow(row, add);
    for (const dataset of datasets.values()) dataset.recordRestore();
  }

  /** Number of stored fields per dataset; a field of several types counts several times. */
  async #counts(): Promise<ReadonlyMap<number, number>> {
    const rows = await this.#database
      .selectFrom('stored_fields')
      .select(({ fn }) => ['dataset_id', fn.countAll<number | string>().as('count')])
      .groupBy('dataset_id')
      .execute();
    return new Map(rows.map(({ dataset_id, count }) => [dataset_id, Number(count)]));
  }

  /** The fields of all datasets, in chunks, in the order of the datasets: there may be millions. */
  async *load(): AsyncGenerator<KnownFields> {
    for await (const rows of this.#pieces()) {
      const byDataset = new Map<number, SchemaChange[]>();
      for (const row of rows)
        visitRow(row, (datasetId, type, where, text, from, end) => {
          const list = byDataset.get(datasetId) ?? [];
          byDataset.set(datasetId, list);
          list.push({ field: text.slice(from, end), type, where });
        });
      for (const [datasetId, fields] of byDataset) yield { datasetId, fields };
    }
  }

  async *#pieces(): AsyncGenerator<readonly string[]> {
    const first = sql<boolean>`true`;
    for (let behind = first; ;) {
      const rows = await this.#rows(behind);
      yield rows;
      const last = rows.at(-1);
      if (last === undefined || rows.length < this.#rowsAtOnce) return;
      const [, datasetId, letter, physical = ''] = /^(\d+)(.)(.*)$/s.exec(last) ?? [];
      const place = places.find((each) => firstLetter[each] === letter);
      const name = spellingOf(this.#database).exact(physical);
      behind = sql<boolean>`(dataset_id, physical, place) > (${Number(datasetId)}, ${name}, ${place})`;
    }
  }

  /**
   * Some rows, in order, as a JSON list of texts: an object for each row would take longer than
   * everything else.
   */
  async #rows(behind: RawBuilder<boolean>): Promise<readonly string[]> {
    const some = this.#database
      .selectFrom('stored_fields')
      .select(sql<string>`CAST(dataset_id AS TEXT) || substr(place, 1, 1) || physical`.as('row'))
      .where(behind)
      .orderBy('dataset_id')
      .orderBy('physical')
      .orderBy('place')
      .limit(this.#rowsAtOnce)
      .as('some');
    const { listOf, read } = spellingOf(this.#database);
    const { rows } = await this.#database.selectFrom(some).select(listOf('row').as('rows')).executeTakeFirstOrThrow();
    return read(rows) as readonly string[];
  }

  /** For each dataset, the position up to which it is never replayed. */
  async checkpoints(): Promise<ReadonlyMap<number, bigint>> {
    const rows = await this.#database.selectFrom('checkpoints').selectAll().execute();
    return new Map(rows.map((row) => [row.dataset_id, BigInt(row.position)]));
  }

  /**
   * Adds fields in chunks, each in a separate transaction: fields written by an interrupted call
   * are correct, and are added again with the others.
   */
  async add(datasetId: number, news: readonly SchemaChange[]): Promise<void> {
    for (let from = 0; from < news.length; from += namesAtOnce) {
      if (from > 0) await new Promise((resolve) => setImmediate(resolve));
      await this.#addSome(datasetId, news.slice(from, from + namesAtOnce));
    }
  }

  async #addSome(datasetId: number, news: readonly SchemaChange[]): Promise<void> {
    const { rowsOf } = spellingOf(this.#database);
    await this.#database.transaction().execute(async (transaction) => {
      for (const place of places) {
        const names = news.filter(({ where }) => where === place);
        if (names.length === 0) continue;
        await sql`
          INSERT INTO stored_fields (dataset_id, physical, place)
          SELECT CAST(${datasetId} AS BIGINT), value, CAST(${place} AS TEXT) FROM ${rowsOf(namesOf(names))} WHERE true
          ON CONFLICT DO NOTHING`.execute(transaction);
      }
    });
  }

  /** Removes fields from locations, atomically. */
  async remove(datasetId: number, removed: InPlaces): Promise<void> {
    const { rowsOf } = spellingOf(this.#database);
    await this.#database.transaction().execute(async (transaction) => {
      for (const place of places)
        await sql`
          DELETE FROM stored_fields
          WHERE dataset_id = ${datasetId} AND place = ${place}
            AND physical IN (SELECT value FROM ${rowsOf(namesOf(removed[place]))})`.execute(transaction);
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

  async forgetCheckpoint(datasetId: number): Promise<void> {
    await this.#database.deleteFrom('checkpoints').where('dataset_id', '=', datasetId).execute();
  }

  /**
   * Removes the fields of a dataset that have no column. Their values stay in the events; a later
   * event adds a name again.
   * @returns how many names were removed
   */
  async forgetOverflow(datasetId: number): Promise<number> {
    const { numDeletedRows } = await this.#database
      .deleteFrom('stored_fields')
      .where('dataset_id', '=', datasetId)
      .where('place', '=', 'overflow')
      .executeTakeFirst();
    return Number(numDeletedRows);
  }

  /** Deletes the state of a deleted dataset. */
  async forget(datasetId: number): Promise<void> {
    // In chunks: the record of the dataset is already deleted, and rows left by a crash are removed
    // at the next start.
    const some = sql`(SELECT dataset_id, physical, place FROM stored_fields WHERE dataset_id = ${datasetId} LIMIT ${namesAtOnce})`;
    for (let left = true; left;) {
      const { numAffectedRows } =
        await sql`DELETE FROM stored_fields WHERE (dataset_id, physical, place) IN ${some}`.execute(this.#database);
      left = Number(numAffectedRows) === namesAtOnce;
      await new Promise((resolve) => setImmediate(resolve));
    }
    await this.#database.transaction().execute(async (transaction) => {
      await transaction.deleteFrom('stored_fields').where('dataset_id', '=', datasetId).execute();
      await transaction.deleteFrom('checkpoints').where('dataset_id', '=', datasetId).execute();
    });
  }
}

const namesOf = (uses: readonly FieldAndType[]): readonly string[] =>
  uses.map(({ field, type }) => physicalName(field, type));
