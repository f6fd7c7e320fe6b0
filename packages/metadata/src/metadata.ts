import { sql } from 'kysely';
import type LibsqlDatabase from 'libsql';
import type { Evaluation } from '@millrace/api/schemas/evaluation';
import type { StoredAcknowledgment, StoredMonitor } from '@millrace/api/schemas/monitor';
import type { Notifier } from '@millrace/api/schemas/notifier';
import type { StoredRoutes } from '@millrace/api/schemas/notification-route';
import type { StoredSource, StoredSourceStatus } from '@millrace/api/schemas/source';
import type { StoredSlo } from '@millrace/api/schemas/slo';
import type { Silence } from '@millrace/api/schemas/silence';
import type { StoredStatusPage } from '@millrace/api/schemas/status-page';
import type { Annotation, StarredQuery, View, VirtualField } from '@millrace/api/schemas/query-resources';
import type { Group, Role } from '@millrace/api/schemas/user';
import type { Clock } from './clock.js';
import { Collection, type CollectionRules } from './collection.js';
import { type Database, databaseOver } from './database.js';
import type { WriteCounter } from './dialect.js';
import { DashboardStore } from './dashboards.js';
import { datasetIdOf, DatasetStore } from './datasets.js';
import { forgetMonitor } from './monitors/delete-monitor.js';
import { FieldMetadataStore } from './field-metadata.js';
import { forgetGrants } from './grants.js';
import { Mutex, KeyedMutex, type Lock, type KeyedLock } from '@millrace/runtime/async/mutex';
import { type Quota, unlimitedQuota } from './quota.js';
import { requireNoDataset } from './unique-names.js';
import { OrgStore } from './orgs/org.js';
import { monitorReplaced, notifierRemoved, notifierReplaced } from './monitors/receiver-states.js';
import { openSqlite } from './sqlite.js';
import { DeviceCodes } from './sign-in/device-codes.js';
import { IdentityStore } from './sign-in/identities.js';
import { ServerKeys } from './sign-in/server-keys.js';
import { SingleUse } from './sign-in/single-use.js';
import { forgetSource, SourceObjects } from './sources/source-objects.js';
import { SessionStore } from './sign-in/sessions.js';
import { TokenStore } from './tokens.js';
import { TokenLastUsed } from './token-last-used.js';
import { UserStore } from './users.js';

/** All stored state except the events. One store per resource. */
export interface Metadata {
  readonly database: Database;
  readonly datasets: DatasetStore;
  readonly fields: FieldMetadataStore;
  readonly org: OrgStore;
  readonly users: UserStore;
  readonly roles: Collection<Role>;
  readonly groups: Collection<Group>;
  readonly tokens: TokenStore;
  readonly tokenUses: TokenLastUsed;
  readonly sessions: SessionStore;
  readonly identities: IdentityStore;
  readonly singleUse: SingleUse;
  readonly serverKeys: ServerKeys;
  readonly deviceCodes: DeviceCodes;
  readonly annotations: Collection<Annotation>;
  readonly virtualFields: Collection<VirtualField>;
  readonly views: Collection<View>;
  readonly starredQueries: Collection<StarredQuery>;
  readonly evaluations: Collection<Evaluation>;
  readonly dashboards: DashboardStore;
  readonly monitors: Collection<StoredMonitor>;
  readonly notifiers: Collection<Notifier>;
  readonly silences: Collection<Silence>;
  readonly slos: Collection<StoredSlo>;
  readonly statusPages: Collection<StoredStatusPage>;
  readonly acknowledgments: Collection<StoredAcknowledgment>;
  readonly notificationRoutes: Collection<StoredRoutes>;
  readonly sources: Collection<StoredSource>;
  readonly sourceStatuses: Collection<StoredSourceStatus>;
  readonly sourceObjects: SourceObjects;
  /**
   * Runs changes of rights one at a time, so that what a change was based on still holds when it is
   * written.
   */
  readonly rightsChanges: Lock;
  /**
   * Creates datasets of the same name, and removes their records, one at a time: a dataset is
   * created completely before its record can be found or removed.
   */
  readonly datasetNames: KeyedLock<string>;
  /** Changes whenever rights may have changed. */
  accessVersion(): number;
  /**
   * Resolves when the data in memory is as new as this call. Undefined where no other process
   * shares the metadata, so no read is needed.
   * @throws MetadataError
   */
  upToDate(): Promise<void> | undefined;
  /**
   * Grows with each write, so that what was read before need not be read again. Undefined where
   * other servers may write; commands beside a server write only what others read.
   */
  writeCount(): number | undefined;
  /**
   * Calls the listener, and waits for it, when another process may have changed something, before a
   * refresh resolves.
   * @param listener gets names of tables and collections
   */
  onNews(listener: (names: ReadonlySet<string>) => Promise<void>): void;
  /** Locks per key for a kind of work, among all processes that share the metadata. */
  turns(kind: string): KeyedLock<string>;
  /** Checks that the metadata can be read. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the metadata.
 * @param file path of the SQLite file, or `inMemory`
 * @throws Error when the file cannot be used
 */
export async function openMetadata(file: string, clock: Clock = Date.now, quota = unlimitedQuota): Promise<Metadata> {
  return metadataOverFile(openSqlite(file), clock, quota);
}

/** The stores over an opened file that no other server changes. */
export function metadataOverFile(sqlite: LibsqlDatabase.Database, clock: Clock, quota: Quota): Promise<Metadata> {
  const writes = { count: 0 };
  return metadataOver(databaseOver(sqlite, undefined, writes), clock, quota, { writes });
}

/** How changes of a database are noticed: by other processes, or counted in the only one. */
type ChangeTracking = ProcessCoordination | { readonly writes: WriteCounter };

/** Communication between processes that share a database. */
export interface ProcessCoordination {
  /** @param changed refreshes the data in memory; the names are those of tables and collections */
  follow(changed: (names: ReadonlySet<string>) => Promise<void>): ChangeFollower;
  close(): Promise<void>;
}

interface ChangeFollower {
  check(): Promise<void>;
  turns(kind: string): KeyedLock<string>;
}

/** Tables and collections that define permissions. */
const ofRights = ['users', 'tokens', 'sessions', 'roles', 'groups', 'views', 'identities'];

/**
 * The stores over an opened database.
 * @param quota for each kind of resource
 * @param tracking if other processes change the database too, or none does
 */
export async function metadataOver(
  database: Database,
  clock: Clock,
  quota: Quota = unlimitedQuota,
  tracking?: ChangeTracking,
): Promise<Metadata> {
  const shared = tracking !== undefined && 'follow' in tracking ? tracking : undefined;
  const writes = tracking !== undefined && 'writes' in tracking ? tracking.writes : undefined;
  let accessVersion = 0;
  const accessChanged = () => void accessVersion++;
  const datasets = await DatasetStore.open(database, clock, accessChanged, quota);
  const { orgNumber } = datasets;
  const collections = new Map<string, { recordWrite(): void }>();
  const collection = <T extends { readonly id: string }>(rules: CollectionRules<T>) => {
    const made = new Collection<T>(database, rules, quota);
    collections.set(rules.name, made);
    return made;
  };
  const fields = new FieldMetadataStore(database, () => datasets.version, quota);
  const listeners: ((names: ReadonlySet<string>) => Promise<void>)[] = [];
  const following = shared?.follow(async (names) => {
    for (const name of names) collections.get(name)?.recordWrite();
    if (names.has('fields')) fields.recordWrite();
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
    tokens: new TokenStore(database, clock, accessChanged, quota, orgNumber),
    tokenUses: new TokenLastUsed(database, clock),
    sessions: new SessionStore(database, clock, accessChanged, orgNumber),
    identities: new IdentityStore(database, clock, accessChanged),
    singleUse: new SingleUse(database, clock),
    serverKeys: new ServerKeys(database),
    deviceCodes: new DeviceCodes(database, clock, orgNumber),
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
      removed: ({ id }, connection) => forgetMonitor(id, connection),
      replaced: (before, after, connection) => monitorReplaced(before, after, connection, clock),
    }),
    notifiers: collection({
      name: 'notifiers',
      kind: 'notifier',
      prefix: 'notify_',
      removed: notifierRemoved,
      replaced: notifierReplaced,
    }),
    silences: collection({ name: 'silences', kind: 'silence', prefix: 'silence_' }),
    slos: collection({ name: 'slos', kind: 'SLO', prefix: 'slo_', unique: ({ name }) => name }),
    // There is one page.
    statusPages: collection({ name: 'status-pages', kind: 'status page', prefix: 'status_', unique: () => 'page' }),
    acknowledgments: collection({ name: 'acknowledgments', kind: 'acknowledgment', prefix: 'ack_' }),
    // There is one table.
    notificationRoutes: collection({
      name: 'notification-routes',
      kind: 'table of routes',
      prefix: 'routes_',
      unique: () => 'routes',
    }),
    sources: collection({
      name: 'sources',
      kind: 'source',
      prefix: 'source_',
      unique: ({ name }) => name,
      removed: ({ id }, connection) => forgetSource(id, connection),
    }),
    sourceStatuses: collection({ name: 'source-statuses', kind: 'status of a source', prefix: '' }),
    sourceObjects: new SourceObjects(database),
    rightsChanges: rightsTurns === undefined ? new Mutex() : { run: (work) => rightsTurns.run('', work) },
    datasetNames: following?.turns('dataset') ?? new KeyedMutex(),
    accessVersion: () => accessVersion,
    upToDate: () => following?.check(),
    writeCount: () => writes?.count,
    onNews: (listener) => void listeners.push(listener),
    turns: (kind) => following?.turns(kind) ?? new KeyedMutex(),
    check: async () => {
      await sql`SELECT 1`.execute(database);
      await following?.check();
    },
    close: async () => {
      await database.destroy();
      await shared?.close();
    },
  };
}
