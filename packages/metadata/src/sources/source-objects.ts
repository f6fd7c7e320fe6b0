import type { Connection, Database } from '../database.js';

/** How much of an object is stored: the number of its parts, or everything. */
type ObjectState = number | 'complete';

/** Stands for a complete object in the table. */
const complete = -1;
/** Objects per statement. */
const maxNamed = 500;

/** The objects that bucket sources have read, each by a hash of its name and version. */
export class SourceObjects {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** States of those of the objects that were begun. */
  async known(sourceId: string, objects: readonly string[]): Promise<ReadonlyMap<string, ObjectState>> {
    const states = new Map<string, ObjectState>();
    for (let first = 0; first < objects.length; first += maxNamed) {
      const rows = await this.#database
        .selectFrom('source_objects')
        .select(['object', 'parts'])
        .where('source_id', '=', sourceId)
        .where('object', 'in', objects.slice(first, first + maxNamed))
        .execute();
      for (const { object, parts } of rows) states.set(object, Number(parts) === complete ? 'complete' : Number(parts));
    }
    return states;
  }

  /** Records a state; returns whether the object was not known before. */
  async mark(sourceId: string, object: string, state: ObjectState): Promise<boolean> {
    const parts = state === 'complete' ? complete : state;
    const isNew = (await this.known(sourceId, [object])).size === 0;
    await this.#database
      .insertInto('source_objects')
      .values({ source_id: sourceId, object, parts })
      .onConflict((conflict) => conflict.columns(['source_id', 'object']).doUpdateSet({ parts }))
      .execute();
    return isNew;
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
