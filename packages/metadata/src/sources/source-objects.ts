import type { Connection, Database } from '../database.js';

/** How much of an object is stored: the number of its parts, or everything. */
type ObjectState = number | 'complete';

/** Stands for a complete object in the table. */
const complete = -1;
/** Objects per statement. */
const maxNamed = 500;
const dayMilliseconds = 86_400_000;
/** Days are enough to know which objects are gone, and cost an object one write a day. */
const dayOf = (milliseconds: number): number => Math.floor(milliseconds / dayMilliseconds);

/** The objects that bucket sources have read, each by a hash of its name and version. */
export class SourceObjects {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * States of those of the objects that were begun.
   * @param now milliseconds since the epoch; the bucket has the objects now
   */
  async knownObjects(
    sourceId: string,
    objects: readonly string[],
    now: number,
  ): Promise<ReadonlyMap<string, ObjectState>> {
    const states = new Map<string, ObjectState>();
    const today = dayOf(now);
    for (let first = 0; first < objects.length; first += maxNamed) {
      const rows = await this.#database
        .selectFrom('source_objects')
        .select(['object', 'parts', 'listed'])
        .where('source_id', '=', sourceId)
        .where('object', 'in', objects.slice(first, first + maxNamed))
        .execute();
      for (const { object, parts } of rows) states.set(object, Number(parts) === complete ? 'complete' : Number(parts));
      const outdated = rows.filter(({ listed }) => Number(listed) !== today).map(({ object }) => object);
      if (outdated.length > 0)
        await this.#database
          .updateTable('source_objects')
          .set({ listed: today })
          .where('source_id', '=', sourceId)
          .where('object', 'in', outdated)
          .execute();
    }
    return states;
  }

  /** Records a state; returns whether the object was not known before. */
  async mark(sourceId: string, object: string, state: ObjectState, now: number): Promise<boolean> {
    const parts = state === 'complete' ? complete : state;
    const isNew = (await this.knownObjects(sourceId, [object], now)).size === 0;
    await this.#database
      .insertInto('source_objects')
      .values({ source_id: sourceId, object, parts, listed: dayOf(now) })
      .onConflict((conflict) => conflict.columns(['source_id', 'object']).doUpdateSet({ parts }))
      .execute();
    return isNew;
  }

  /**
   * Forgets some objects that the bucket did not have since a time. Those whose last day is unknown
   * stay.
   * @param before milliseconds since the epoch
   * @returns whether there may be more
   */
  async forgetSome(sourceId: string, before: number): Promise<boolean> {
    const { numDeletedRows } = await this.#database
      .deleteFrom('source_objects')
      .where('source_id', '=', sourceId)
      .where('object', 'in', ({ selectFrom }) =>
        selectFrom('source_objects')
          .select('object')
          .where('source_id', '=', sourceId)
          .where('listed', '>', 0)
          .where('listed', '<', dayOf(before))
          .limit(maxNamed),
      )
      .executeTakeFirst();
    return numDeletedRows === BigInt(maxNamed);
  }

  async count(sourceId: string): Promise<number> {
    const { records } = await this.#database
      .selectFrom('source_objects')
      .select(({ fn }) => fn.countAll<number>().as('records'))
      .where('source_id', '=', sourceId)
      .executeTakeFirstOrThrow();
    return Number(records);
  }
}

/** Deletes what belongs to a source, in the transaction that deletes it. */
export async function forgetSource(id: string, connection: Connection): Promise<void> {
  await connection.deleteFrom('source_objects').where('source_id', '=', id).execute();
  await connection.deleteFrom('documents').where('collection', '=', 'source-statuses').where('id', '=', id).execute();
}
