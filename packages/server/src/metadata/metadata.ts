import { sql } from 'kysely';
import type { Evaluation } from '../schemas/evaluation.js';
import type { StoredMonitor } from '../schemas/monitor.js';
import type { Notifier } from '../schemas/notifier.js';
import type { Annotation, StarredQuery, View, VirtualField } from '../schemas/query-resources.js';
import type { Group, Role } from '../schemas/user.js';
import type { Clock } from './clock.js';
import { Collection, type CollectionRules } from './collection.js';
import { type Database, databaseOver } from './database.js';
import { DashboardStore } from './dashboards.js';
import { datasetIdOf, DatasetStore } from './datasets.js';
import { forgetMonitor } from './forget-monitor.js';
import { FieldMetadataStore } from './field-metadata.js';
import { forgetGrants } from './grants.js';
import { OneByOne, OneByOneFor, type Turns, type TurnsFor } from '../async/one-by-one.js';
import { type Quota, unlimited } from './quota.js';
import { requireNoDataset } from './one-name.js';
import { OrgStore } from './org.js';
import { openSqlite } from './sqlite.js';
import { SessionStore } from './sessions.js';
import { TokenStore } from './tokens.js';
import { TokenUses } from './token-uses.js';
import { UserStore } from './users.js';

/** Everything the server remembers besides the events. One store per resource. */
export interface Metadata {
  readonly database: Database;
  readonly datasets: DatasetStore;
  readonly fields: FieldMetadataStore;
  readonly org: OrgStore;
  readonly users: UserStore;
  readonly roles: Collection<Role>;
  readonly groups: Collection<Group>;
  readonly tokens: TokenStore;
  readonly tokenUses: TokenUses;
  readonly sessions: SessionStore;
  readonly annotations: Collection<Annotation>;
  readonly virtualFields: Collection<VirtualField>;
  readonly views: Collection<View>;
  readonly starredQueries: Collection<StarredQuery>;
  readonly evaluations: Collection<Evaluation>;
  readonly dashboards: DashboardStore;
  readonly monitors: Collection<StoredMonitor>;
  readonly notifiers: Collection<Notifier>;
  /**
   * Runs changes of rights one at a time, so that what a change was based on still holds when it is
   * written.
   */
  readonly rightsChanges: Turns;
  /**
   * Makes datasets of the same name, and removes their records, one at a time: whoever finds a
   * record, or takes it back, has to do with a dataset that was made whole.
   */
  readonly datasetNames: TurnsFor<string>;
  /** Changes whenever somebody's rights may have changed. */
  accessVersion(): number;
  /**
   * Resolved when what is held in memory is as new as this call. Undefined where no other process
   * shares the metadata, and nothing has to be looked up.
   * @throws MetadataError
   */
  upToDate(): Promise<void> | undefined;
  /**
   * Calls the listener, and waits for it, when another process may have changed something, before
   * anybody is told that the look is over.
   * @param listener gets names of tables and collections
   */
  onNews(listener: (names: ReadonlySet<string>) => Promise<void>): void;
  /** Turns for things of a kind, among all processes that share the metadata. */
  turns(kind: string): TurnsFor<string>;
  /** Whether they can be read. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the metadata.
 * @param file path of the SQLite file, or `inMemory`
 * @throws Error when the file cannot be used
 */
export async function openMetadata(file: string, clock: Clock = Date.now, quota = unlimited): Promise<Metadata> {
  return metadataOver(databaseOver(openSqlite(file)), clock, quota);
}

/** What processes that share a database tell each other through it. */
export interface Shared {
  /**
   * @param changed brings what is held in memory up to date; the names are those of tables and
   * collections
   */
  follow(changed: (names: ReadonlySet<string>) => Promise<void>): Following;
  close(): Promise<void>;
}

interface Following {
  look(): Promise<void>;
  turns(kind: string): TurnsFor<string>;
}

/** Tables and collections that say what somebody may do. */
const ofRights = ['users', 'tokens', 'sessions', 'roles', 'groups', 'views'];

/**
 * The stores over an opened database.
 * @param quota for each kind of resource
 * @param shared if other processes change it too
 */
export async function metadataOver(
  database: Database,
  clock: Clock,
  quota: Quota = unlimited,
  shared?: Shared,
): Promise<Metadata> {
  let accessVersion = 0;
  const accessChanged = () => void accessVersion++;
  const datasets = await DatasetStore.open(database, clock, accessChanged, quota);
  const collections = new Map<string, { written(): void }>();
  const collection = <T extends { readonly id: string }>(rules: CollectionRules<T>) => {
    const made = new Collection<T>(database, rules, quota);
    collections.set(rules.name, made);
    return made;
  };
  const fields = new FieldMetadataStore(database, () => datasets.version, quota);
  const listeners: ((names: ReadonlySet<string>) => Promise<void>)[] = [];
  const following = shared?.follow(async (names) => {
    for (const name of names) collections.get(name)?.written();
    if (names.has('fields')) fields.written();
    if (ofRights.some((name) => names.has(name))) accessChanged();
    if (names.has('datasets')) await datasets.reload();
    for (const tell of listeners) await tell(names);
  });
  const rightsTurns = following?.turns('rights');
  return {
    database,
    datasets,
    fields,
    org: new OrgStore(database, clock),
    users: new UserStore(database, clock, accessChanged, quota),
    roles: collection({
      name: 'roles',
      kind: 'role',
      prefix: 'role_',
      unique: ({ name }) => name,
      // Roles lose their rights on a dataset or view when it is deleted.
      ownersVersion: () => accessVersion,
      changed: accessChanged,
    }),
    groups: collection({
      name: 'groups',
      kind: 'group',
      prefix: 'group_',
      unique: ({ name }) => name,
      changed: accessChanged,
    }),
    tokens: new TokenStore(database, clock, accessChanged, quota),
    tokenUses: new TokenUses(database, clock),
    sessions: new SessionStore(database, clock, accessChanged),
    annotations: collection({ name: 'annotations', kind: 'annotation', prefix: 'ann_' }),
    virtualFields: collection({
      name: 'virtual_fields',
      kind: 'virtual field',
      prefix: 'vfield_',
      unique: ({ dataset, name }) => JSON.stringify([dataset, name]),
      named: ({ name }) => name,
      datasetId: ({ dataset }, connection) => datasetIdOf(dataset, connection),
      ownersVersion: () => datasets.version,
    }),
    views: collection({
      name: 'views',
      kind: 'view',
      prefix: 'view_',
      unique: ({ name }) => name,
      requireFree: (name, connection) => requireNoDataset(connection, name),
      freed: (name, connection) => forgetGrants(connection, 'viewCapabilities', name),
      changed: accessChanged,
    }),
    starredQueries: collection({ name: 'starred_queries', kind: 'starred query', prefix: 'star_' }),
    evaluations: collection({
      name: 'evaluations',
      kind: 'evaluation',
      prefix: '',
      datasetId: ({ dataset }, connection) => datasetIdOf(dataset, connection),
      ownersVersion: () => datasets.version,
      oldestGo: true,
    }),
    dashboards: new DashboardStore(database, clock),
    monitors: collection({
      name: 'monitors',
      kind: 'monitor',
      prefix: 'mon_',
      removed: (id, connection) => forgetMonitor(id, connection),
    }),
    notifiers: collection({ name: 'notifiers', kind: 'notifier', prefix: 'notify_' }),
    rightsChanges: rightsTurns === undefined ? new OneByOne() : { run: (work) => rightsTurns.run('', work) },
    datasetNames: following?.turns('dataset') ?? new OneByOneFor(),
    accessVersion: () => accessVersion,
    upToDate: () => following?.look(),
    onNews: (listener) => void listeners.push(listener),
    turns: (kind) => following?.turns(kind) ?? new OneByOneFor(),
    check: async () => {
      await sql`SELECT 1`.execute(database);
      await following?.look();
    },
    close: async () => {
      await database.destroy();
      await shared?.close();
    },
  };
}
