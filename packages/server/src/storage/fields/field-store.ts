import { parsePhysicalName, physicalName } from '@millrace/events';
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

interface Rows {
  readonly datasetId: readonly number[];
  readonly physical: readonly string[];
  readonly place: readonly (keyof Place)[];
}

/**
 * The same text in memory of its own: a part of another text is looked into by a detour, which
 * takes longer than the copy, and keeps all of that text.
 */
const alone = (part: string): string => Buffer.from(part).toString();

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
    for await (const { datasetId, fields } of this.load()) datasets.get(datasetId)?.restore(fields);
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
    const first = sql<boolean>`true`;
    for (let behind = first; ;) {
      const rows = await this.#rows(behind);
      const byDataset = new Map<number, FieldNews[]>();
      rows.physical.forEach((physical, i) => {
        const parsed = parsePhysicalName(physical);
        if (parsed === undefined) return;
        const datasetId = rows.datasetId[i]!;
        const list = byDataset.get(datasetId) ?? [];
        byDataset.set(datasetId, list);
        list.push({ field: alone(parsed.field), type: parsed.type, where: rows.place[i]! });
      });
      for (const [datasetId, fields] of byDataset) yield { datasetId, fields };
      const last = rows.physical.length - 1;
      if (last + 1 < this.#rowsAtOnce) return;
      const name = spellingOf(this.#database).exact(rows.physical[last]!);
      behind = sql<boolean>`(dataset_id, physical, place) > (${rows.datasetId[last]}, ${name}, ${rows.place[last]})`;
    }
  }

  /**
   * Some rows, in order, as lists in JSON: an object for each row would take longer than everything
   * else.
   */
  async #rows(behind: RawBuilder<boolean>): Promise<Rows> {
    const some = this.#database
      .selectFrom('stored_fields')
      .selectAll()
      .where(behind)
      .orderBy('dataset_id')
      .orderBy('physical')
      .orderBy('place')
      .limit(this.#rowsAtOnce)
      .as('some');
    const { listOf, read } = spellingOf(this.#database);
    const { datasetId, physical, place } = await this.#database
      .selectFrom(some)
      .select([listOf('dataset_id').as('datasetId'), listOf('physical').as('physical'), listOf('place').as('place')])
      .executeTakeFirstOrThrow();
    return {
      datasetId: read(datasetId) as readonly number[],
      physical: read(physical) as readonly string[],
      place: read(place) as readonly (keyof Place)[],
    };
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
