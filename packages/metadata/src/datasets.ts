import type { Selectable } from 'kysely';
import { httpError } from '@millrace/api/errors';
import type { DeclaredField, FieldRoles } from '@millrace/api/schemas/dataset';
import { type Clock, timestamp } from './clock.js';
import type { Connection, Database, Tables } from './database.js';
import { inPages, collectPages } from '@millrace/runtime/async/paginate';
import { bytesOfRow, type Quota, requireRoom, rowsIn } from './quota.js';
import { forgetGrants } from './grants.js';
import { idBeforeFirst, idsPerOrg, orgNumberOf } from './orgs/org-number.js';
import { requireNoDataset, requireNoView } from './unique-names.js';
import { isPostgres, spellingOf } from './sql-dialect.js';

export interface DatasetRecord {
  /** ID of its table; never reused. */
  readonly datasetId: number;
  readonly name: string;
  readonly description: string;
  readonly who: string;
  readonly kind: string;
  readonly created: string;
  readonly updatedAt: string;
  readonly useRetentionPeriod: boolean;
  readonly retentionDays: number;
  readonly mapFields: readonly string[];
  readonly edgeDeployment: string;
  /** The fields events may have; absent while the schema is not locked. */
  readonly schema?: readonly DeclaredField[] | undefined;
  /** Fields chosen for a meaning; absent if none is. */
  readonly fieldRoles?: FieldRoles;
  /** When it was last vacuumed. */
  readonly vacuumed?: string;
  /** The shard of the engine with its tables. */
  readonly shard: number;
}

export interface NewDataset {
  readonly name: string;
  readonly who: string;
  readonly description?: string;
  readonly kind?: string | undefined;
  readonly useRetentionPeriod?: boolean;
  readonly retentionDays?: number;
  readonly edgeDeployment?: string | undefined;
  readonly mapFields?: readonly string[];
  readonly fieldRoles?: FieldRoles | undefined;
  /** The shard for its tables; the first if left out. */
  readonly shard?: number | undefined;
}

/** Properties that may change; absent ones stay. */
type DatasetChange = Partial<
  Pick<
    DatasetRecord,
    'description' | 'useRetentionPeriod' | 'retentionDays' | 'mapFields' | 'schema' | 'vacuumed' | 'fieldRoles'
  >
>;

/** A dataset, possibly without a record. */
export interface DatasetRef extends Pick<DatasetRecord, 'datasetId' | 'name'> {
  /** The first if left out. */
  readonly shard?: number;
  /** Events if left out. */
  readonly kind?: string;
}

/**
 * The datasets. All are also cached in memory, because every ingest and query looks one up: readers
 * never wait, and see a change as soon as it is on disk.
 */
export class DatasetStore {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #accessChanged: () => void;
  #byName: ReadonlyMap<string, DatasetRecord> = new Map();
  #loads = 0;
  #loadedVersion = 0;
  #orgNumber = 0;
  readonly #quota: Quota;

  private constructor(database: Database, clock: Clock, accessChanged: () => void, quota: Quota) {
    this.#quota = quota;
    this.#database = database;
    this.#clock = clock;
    this.#accessChanged = accessChanged;
  }

  /** @param accessChanged called when rights may have been removed along with a dataset */
  static async open(database: Database, clock: Clock, accessChanged: () => void, quota: Quota): Promise<DatasetStore> {
    const store = new DatasetStore(database, clock, accessChanged, quota);
    // There it goes on after a rejected creation.
    store.#orgNumber = isPostgres(database) ? 0 : orgNumberOf(await store.highestId());
    await store.#load();
    store.#requireOwnIds();
    return store;
  }

  /** Number of the organization, part of the ID of each dataset. */
  get orgNumber(): number {
    return this.#orgNumber;
  }

  /** Changes with every change of a dataset, before the change gets its response. */
  get version(): number {
    return this.#loadedVersion;
  }

  /** All datasets in the order of their names. */
  list(): readonly DatasetRecord[] {
    return [...this.#byName.values()];
  }

  find(name: string): DatasetRecord | undefined {
    return this.#byName.get(name);
  }

  /** @throws HttpError `dataset-not-found` */
  get(name: string): DatasetRecord {
    const found = this.#byName.get(name);
    if (found === undefined) throw httpError('dataset-not-found', { name });
    return found;
  }

  /** @throws HttpError `already-exists`, `quota-reached` */
  async create(dataset: NewDataset): Promise<DatasetRecord> {
    const now = timestamp(this.#clock);
    return this.#change(async (connection) => {
      await requireNoView(connection, dataset.name);
      await requireNoDataset(connection, dataset.name);
      await connection
        .insertInto('datasets')
        .values({
          name: dataset.name,
          description: dataset.description ?? '',
          who: dataset.who,
          kind: dataset.kind ?? 'axiom:events:v1',
          created: now,
          updated: now,
          use_retention: Number(dataset.useRetentionPeriod ?? false),
          retention_days: dataset.retentionDays ?? 0,
          map_fields: JSON.stringify(dataset.mapFields ?? []),
          edge_deployment: dataset.edgeDeployment ?? '',
          schema: null,
          field_roles: rolesText(dataset.fieldRoles),
          vacuumed: null,
          shard: dataset.shard ?? 1,
        })
        .execute();
      requireRoom('dataset', await rowsIn(connection, 'datasets'), this.#quota);
      await this.#requireOwnId(dataset.name, connection);
      return dataset.name;
    });
  }

  /**
   * Changes a dataset; `change` gets the present record and returns the properties to set.
   * @throws HttpError `dataset-not-found`, `quota-reached`, and errors of `change`; then the
   * dataset stays
   */
  async update(name: string, change: (present: DatasetRecord) => DatasetChange): Promise<DatasetRecord> {
    return this.#change(async (connection) => {
      const row = await connection.selectFrom('datasets').selectAll().where('name', '=', name).executeTakeFirst();
      if (row === undefined) throw httpError('dataset-not-found', { name });
      const next = { ...recordOf(row), ...change(recordOf(row)) };
      await connection
        .updateTable('datasets')
        .set({
          description: next.description,
          use_retention: Number(next.useRetentionPeriod),
          retention_days: next.retentionDays,
          map_fields: JSON.stringify(next.mapFields),
          schema: next.schema === undefined ? null : JSON.stringify(next.schema),
          field_roles: rolesText(next.fieldRoles),
          vacuumed: next.vacuumed ?? null,
          updated: timestamp(this.#clock),
        })
        .where('id', '=', row.id)
        .execute();
      // A smaller record may be written even over the quota.
      if (lengthOf(next) > lengthOf(recordOf(row)))
        requireRoom('dataset', await rowsIn(connection, 'datasets'), this.#quota);
      return name;
    });
  }

  /**
   * Removes the record and what belongs to it, and records that the data is still to remove. Call
   * `recordDropped` after removing the data: until then `toDrop` lists it, after every start too.
   * @param grants whether tokens and roles lose their rights on it; they keep them when the dataset
   * could not be created in the first place
   * @throws HttpError `dataset-not-found`
   */
  async delete(name: string, grants: 'forget' | 'keep'): Promise<DatasetRef> {
    const deleted = this.#database.transaction().execute(async (connection) => {
      const { id: datasetId, shard } = await datasetOf(name, connection);
      await connection
        .insertInto('dropped_datasets')
        .values({ id: datasetId, name, dropped: timestamp(this.#clock), shard })
        .execute();
      await connection.deleteFrom('datasets').where('id', '=', datasetId).execute();
      if (grants === 'forget') await forgetGrants(connection, 'datasetCapabilities', name);
      return { datasetId, name, shard };
    });
    return this.#thenLoad(deleted.finally(this.#accessChanged));
  }

  /** The highest ID that a dataset ever had; 0 without any. */
  async highestId(): Promise<number> {
    const { rows } = await spellingOf(this.#database).highest('datasets', 'id').execute(this.#database);
    return rows[0]?.id ?? 0;
  }

  /** Reads them again after a change by another process. */
  reload(): Promise<void> {
    return this.#load();
  }

  /** Datasets whose record is deleted and whose data is still to remove. */
  async toDrop(): Promise<readonly DatasetRef[]> {
    const rows = await this.#database.selectFrom('dropped_datasets').selectAll().orderBy('id').execute();
    return rows.map(({ id, name, shard }) => ({ datasetId: id, name, shard }));
  }

  async recordDropped(datasetId: number): Promise<void> {
    await this.#database.deleteFrom('dropped_datasets').where('id', '=', datasetId).execute();
  }

  async #change(write: (connection: Connection) => Promise<string>): Promise<DatasetRecord> {
    return this.get(await this.#thenLoad(this.#database.transaction().execute(write)));
  }

  /** Beyond the IDs of an organization are those of the next one. */
  async #requireOwnId(name: string, connection: Connection): Promise<void> {
    const id = await datasetIdOf(name, connection);
    if (id < idBeforeFirst(this.#orgNumber + 1)) return;
    throw httpError('protected-resource', {
      reason: `this organization has had ${idsPerOrg - 1} datasets, the maximum including deleted ones`,
    });
  }

  /** @throws Error if the IDs are of several organizations: tables would be looked for elsewhere */
  #requireOwnIds(): void {
    const foreign = this.list().find(({ datasetId }) => orgNumberOf(datasetId) !== this.#orgNumber);
    if (foreign === undefined) return;
    throw new Error(
      `dataset '${foreign.name}' has the ID ${foreign.datasetId}, and others have IDs beyond ${idsPerOrg - 1}, the maximum of an organization; go back to the earlier version and move them to a new server`,
    );
  }

  async #thenLoad<T>(change: Promise<T>): Promise<T> {
    try {
      await change;
    } catch {
      // A commit may take effect and still report a failure, and its error is more useful than that
      // of the reload.
      await this.#load().catch(() => undefined);
      return change;
    }
    await this.#load();
    return change;
  }

  async #load(): Promise<void> {
    const load = ++this.#loads;
    const all = await this.#database
      .selectFrom('datasets')
      .select(['id as key', bytesOfRow('datasets').as('length')])
      .orderBy('name')
      .execute();
    const records = await collectPages(inPages(all, (ids) => this.#page(ids)));
    // With concurrent changes, the result of the later read must stay.
    if (load < this.#loadedVersion) return;
    this.#loadedVersion = load;
    this.#byName = new Map(records.map((record) => [record.name, record]));
  }

  async #page(ids: readonly number[]): Promise<readonly DatasetRecord[]> {
    const rows = await this.#database
      .selectFrom('datasets')
      .selectAll()
      .where('id', 'in', ids)
      .orderBy('name')
      .execute();
    return rows.map(recordOf);
  }
}

/** Characters of a dataset's stored texts. */
const lengthOf = ({ description, mapFields, schema, fieldRoles }: DatasetRecord): number =>
  JSON.stringify([description, mapFields, schema, fieldRoles]).length;

/** Chosen fields as JSON; null if none is left. */
function rolesText(roles: FieldRoles | undefined): string | null {
  const chosen = Object.entries(roles ?? {}).filter(([, field]) => field !== '');
  return chosen.length === 0 ? null : JSON.stringify(Object.fromEntries(chosen));
}

/** Moves datasets on nonexistent shards to the first. */
export async function withinShards(database: Database, shards: number): Promise<void> {
  for (const table of ['datasets', 'dropped_datasets'] as const)
    await database.updateTable(table).set({ shard: 1 }).where('shard', '>', shards).execute();
}

/**
 * The ID of a dataset as a transaction sees it: the store still finds a dataset for a moment after
 * its deletion is on disk.
 * @throws HttpError `dataset-not-found`
 */
export const datasetIdOf = async (name: string, connection: Connection): Promise<number> =>
  (await datasetOf(name, connection)).id;

async function datasetOf(
  name: string,
  connection: Connection,
): Promise<{ readonly id: number; readonly shard: number }> {
  const row = await connection
    .selectFrom('datasets')
    .select(['id', 'shard'])
    .where('name', '=', name)
    .executeTakeFirst();
  if (row === undefined) throw httpError('dataset-not-found', { name });
  return row;
}

function recordOf(row: Selectable<Tables['datasets']>): DatasetRecord {
  return {
    datasetId: row.id,
    name: row.name,
    description: row.description,
    who: row.who,
    kind: row.kind,
    created: row.created,
    updatedAt: row.updated,
    useRetentionPeriod: row.use_retention !== 0,
    retentionDays: row.retention_days,
    mapFields: JSON.parse(row.map_fields) as readonly string[],
    edgeDeployment: row.edge_deployment,
    ...(row.schema !== null && { schema: JSON.parse(row.schema) as readonly DeclaredField[] }),
    ...(row.field_roles !== null && { fieldRoles: JSON.parse(row.field_roles) as FieldRoles }),
    ...(row.vacuumed !== null && { vacuumed: row.vacuumed }),
    shard: row.shard,
  };
}
