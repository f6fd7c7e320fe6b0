import { type FieldType, physicalName, typeOfMark } from '@millrace/events';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../metadata/database.js';
import { spellingOf } from '../../metadata/spelling.js';
import type { FieldNews, StoredDataset } from './dataset.js';
import type { FieldAndType, InPlaces, Place } from './fields.js';

/** Fields of one dataset. */
interface KnownFields {
  readonly datasetId: number;
  readonly fields: readonly FieldNews[];
}

/**
 * Is given what a row says: the name of the field is a part of a text. There may be millions, and
 * making an object of each would take longer than everything else.
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

/** Names that are written in one go, which nothing else can happen beside: some milliseconds. */
const namesAtOnce = 2000;

const places = ['column', 'overflow'] as const satisfies readonly (keyof Place)[];

/**
 * What the storage remembers between starts, in the metadata: the fields of each dataset and the
 * position up to which it is never replayed.
 */
export class FieldStore {
  readonly #database: Database;
  readonly #rowsAtOnce: number;

  /**
   * @param rowsAtOnce rows in one piece of what is loaded: by default as many as take some
   * milliseconds
   */
  constructor(database: Database, rowsAtOnce = 10_000) {
    this.#rowsAtOnce = rowsAtOnce;
    this.#database = database;
  }

  /** Gives datasets, which know no fields yet, all that are known of them. */
  async restore(datasets: ReadonlyMap<number, StoredDataset>): Promise<void> {
    for (const [datasetId, count] of await this.#counts()) datasets.get(datasetId)?.fields.expect(count);
    const add: Visit = (datasetId, type, where, text, from, end) =>
      void datasets.get(datasetId)?.fields.addPart(text, from, end, type, where);
    for await (const rows of this.#pieces()) for (const row of rows) visitRow(row, add);
    for (const dataset of datasets.values()) dataset.restored();
  }

  /** For each dataset, how many there are to load; a field of several types counts as several. */
  async #counts(): Promise<ReadonlyMap<number, number>> {
    const rows = await this.#database
      .selectFrom('stored_fields')
      .select(({ fn }) => ['dataset_id', fn.countAll<number | string>().as('count')])
      .groupBy('dataset_id')
      .execute();
    return new Map(rows.map(({ dataset_id, count }) => [dataset_id, Number(count)]));
  }

  /** The fields of all datasets, in pieces, in the order of the datasets: there may be millions. */
  async *load(): AsyncGenerator<KnownFields> {
    for await (const rows of this.#pieces()) {
      const byDataset = new Map<number, FieldNews[]>();
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
   * Some rows, in order, as a list in JSON of one text each: an object for each row would take
   * longer than everything else.
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
   * Some at a time, each in a transaction of its own: what an interrupted call has written is true,
   * and comes again with the others.
   */
  async add(datasetId: number, news: readonly FieldNews[]): Promise<void> {
    for (let from = 0; from < news.length; from += namesAtOnce) {
      if (from > 0) await new Promise((resolve) => setImmediate(resolve));
      await this.#addSome(datasetId, news.slice(from, from + namesAtOnce));
    }
  }

  async #addSome(datasetId: number, news: readonly FieldNews[]): Promise<void> {
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

  /** Forgets that values lie there: all of it or, if it fails, nothing. */
  async remove(datasetId: number, gone: InPlaces): Promise<void> {
    const { rowsOf } = spellingOf(this.#database);
    await this.#database.transaction().execute(async (transaction) => {
      for (const place of places)
        await sql`
          DELETE FROM stored_fields
          WHERE dataset_id = ${datasetId} AND place = ${place}
            AND physical IN (SELECT value FROM ${rowsOf(namesOf(gone[place]))})`.execute(transaction);
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
   * Forgets the fields of a dataset that have no column. Their values stay in the events; a name is
   * known again when an event brings it.
   * @returns how many names were forgotten
   */
  async forgetOverflow(datasetId: number): Promise<number> {
    const { numDeletedRows } = await this.#database
      .deleteFrom('stored_fields')
      .where('dataset_id', '=', datasetId)
      .where('place', '=', 'overflow')
      .executeTakeFirst();
    return Number(numDeletedRows);
  }

  /** Forgets everything about a deleted dataset. */
  async forget(datasetId: number): Promise<void> {
    // In pieces: the record of the dataset is gone already, and what a crash leaves of it is
    // removed at the next start.
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
