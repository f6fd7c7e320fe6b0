import { existsSync, readFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { join, resolve } from 'node:path';
import {
  type Coordination,
  bucketDirectory,
  ClaimError,
  ClusterError,
  type ClaimProblem,
  type ColdStorage,
  type Engine,
  EngineError,
  minVersion,
  openCluster,
  openEmbedded,
  openRemote,
  type RemoteOptions,
  UnreachableError,
} from '@millrace/engine';
import type { Logger } from 'pino';
import { connectionProblem } from '@millrace/runtime/connection-problem';
import { writeRecord } from '@millrace/metadata/record-file';
import { addressesOf, shardAddresses } from '@millrace/http/settings/clickhouse-settings';
import { flagOf, SettingError, type Settings } from '@millrace/http/settings/settings';
import { database } from '@millrace/storage/tables/database-name';
import { nameOnShard, openShards, shardCalled } from './open-shards.js';

/**
 * Opens the engine of a data directory: the embedded one, or a ClickHouse server if the settings
 * name one. A directory keeps its first engine, because events do not move between engines.
 * @param waitMilliseconds how long to wait for a ClickHouse server
 * @throws SettingError, EngineError, ClickHouseAwayError
 */
export async function openEngine(settings: Settings, logger: Logger, waitMilliseconds?: number): Promise<Engine> {
  const directory = resolve(settings.dataDir);
  const record = readRecord(directory);
  if (settings.clickhouseUrl !== undefined)
    return openClickHouse(settings, settings.clickhouseUrl, record, logger, waitMilliseconds);
  if (record?.claimed === true)
    throw new SettingError(
      'clickhouseUrl',
      `${directory} uses a ClickHouse server; set its address or use another data directory (${flagOf('dataDir')})`,
    );
  const cold = coldStorage(settings);
  if (cold === undefined && existsSync(join(directory, embeddedName, bucketDirectory)))
    throw new SettingError('coldUrl', `old events of ${directory} are in a bucket; give its address`);
  return openEmbedded({
    ...(cold !== undefined && { cold }),
    directory: join(directory, embeddedName),
    scratchDirectory: join(directory, 'scratch'),
    sessions: settings.engineSessions,
    exportSessions: settings.exportSessions,
    memoryBytes: settings.engineMemoryBytes,
    log: logTo(logger),
  });
}

/** A cluster's state on one shard: whether its database was claimed, and its agreement. */
export interface SharedShard {
  readonly known: boolean;
  /** Only with replicas. */
  readonly agreement?: Coordination | undefined;
}

/**
 * Opens the ClickHouse servers that several processes share.
 * @param cluster name of the cluster, which a database records as its owner
 * @param shards one per shard in the settings
 * @throws SettingError, ClickHouseAwayError
 */
export function openSharedEngine(
  settings: Settings,
  url: string,
  cluster: string,
  logger: Logger,
  shards: readonly SharedShard[],
): Promise<Engine> {
  for (const one of addressesOf(url)) warnOfPlainText(one, logger);
  const open = (addresses: readonly string[], number: number): Promise<Engine> =>
    openSharedShard({ settings, addresses, number, cluster, logger, shard: shards[number - 1] });
  return openShards(url, open, true);
}

interface OpenSharedShard {
  readonly settings: Settings;
  readonly addresses: readonly string[];
  readonly number: number;
  readonly cluster: string;
  readonly logger: Logger;
  readonly shard: SharedShard | undefined;
}

/**
 * Opens one shard that several processes share.
 * @throws SettingError, ClickHouseAwayError
 */
export function openSharedShard({ number, cluster, shard, ...given }: OpenSharedShard): Promise<Engine> {
  const { known = false, agreement } = shard ?? {};
  const owner = { id: nameOnShard(cluster, number), known, shared: true };
  return connectEngine({ ...given, owner, agreement, base: cluster });
}

const embeddedName = 'engine';

function coldStorage({ coldUrl, coldAccessKey, coldSecretKey, coldCacheBytes }: Settings): ColdStorage | undefined {
  if (coldUrl === undefined) return undefined;
  const keys =
    coldAccessKey === undefined || coldSecretKey === undefined
      ? {}
      : { keys: { access: coldAccessKey, secret: coldSecretKey } };
  return { url: coldUrl, cacheBytes: coldCacheBytes, ...keys };
}

const logTo =
  (logger: Logger) =>
  (level: 'info' | 'warn' | 'error', message: string, fields?: Readonly<Record<string, unknown>>): void =>
    logger[level]({ ...fields }, message);

async function openClickHouse(
  settings: Settings,
  url: string,
  recorded: OwnerRecord | undefined,
  logger: Logger,
  waitMilliseconds: number | undefined,
): Promise<Engine> {
  const directory = resolve(settings.dataDir);
  if (recorded?.claimed !== true && existsSync(join(directory, embeddedName)))
    throw new SettingError(
      'clickhouseUrl',
      `the events of ${directory} are in its embedded engine; leave the setting out, or begin with another directory (${flagOf('dataDir')}) and bring the events over with millrace export and millrace ingest`,
    );
  for (const one of addressesOf(url)) warnOfPlainText(one, logger);
  const record = recorded ?? { owner: randomUUID(), claimed: false };
  if (recorded === undefined) writeRecord(directory, recordName, record);
  const { owner: base, claimed, shards = 1 } = record;
  const engine = await openShards(url, (addresses, shard) => {
    const owner = { id: nameOnShard(base, shard), known: claimed && shard <= shards };
    return connectEngine({ settings, addresses, owner, logger, waitMilliseconds, base });
  });
  // From now on a database without this owner's mark is the wrong one; before, it was unclaimed.
  const now = { owner: base, claimed: true, shards: shardAddresses(url).length };
  if (!claimed || now.shards !== shards) writeRecord(directory, recordName, now);
  return engine;
}

interface ConnectOptions {
  readonly settings: Settings;
  /** One address per replica. */
  readonly addresses: readonly string[];
  readonly owner: RemoteOptions['owner'];
  /** Name of the owner on the first shard. */
  readonly base: string;
  readonly logger: Logger;
  readonly waitMilliseconds?: number | undefined;
  readonly agreement?: Coordination | undefined;
}

function connectEngine({
  settings,
  addresses,
  owner,
  base,
  logger,
  waitMilliseconds,
  agreement,
}: ConnectOptions): Promise<Engine> {
  const address = {
    user: settings.clickhouseUser ?? 'default',
    password: settings.clickhousePassword ?? '',
    database,
    owner,
    log: logTo(logger),
    reserveBytes: settings.diskReserveBytes,
    ...(waitMilliseconds !== undefined && { startMilliseconds: waitMilliseconds }),
  };
  const opening =
    addresses.length === 1
      ? openRemote({ ...address, url: addresses[0]! })
      : openCluster({ ...address, urls: addresses, ...(agreement !== undefined && { agreement }) });
  return opening.catch((error: unknown) => {
    const url = addresses.join(', ');
    if (error instanceof UnreachableError) throw new ClickHouseAwayError(url, error);
    throw new SettingError('clickhouseUrl', problemOf(error, url, base), { cause: error });
  });
}

/** The ClickHouse server is unreachable. The settings may be correct: a later start may succeed. */
export class ClickHouseAwayError extends Error {
  override readonly name = 'ClickHouseAwayError';
  readonly code = 'clickhouse-away';

  constructor(url: string, cause: EngineError | UnreachableError) {
    const { detail } = cause;
    const why = /^[A-Z\d_]+$/.test(detail) ? `${connectionProblem(detail)} (${detail})` : detail;
    super(`ClickHouse cannot be reached at ${url}: ${why}`, { cause });
  }
}

function problemOf(error: unknown, url: string, base: string): string {
  if (error instanceof ClusterError) return error.message;
  const shard = error instanceof ClaimError && error.problem === 'of-another' && shardCalled(base, error.foundValue);
  if (typeof shard === 'number')
    return `${url} has shard ${shard} of these events; name the addresses of the shards in the order in which they were named first`;
  if (error instanceof ClaimError)
    return `the database ${database} of ${url} ${claimProblems[error.problem](error.foundValue)}`;
  if (error instanceof EngineError) return `${url} cannot be used: ${error.detail}`;
  return `${url} cannot be used: ${String(error)}`;
}

const claimProblems: Readonly<Record<ClaimProblem, (found: string) => string>> = {
  'of-another': (found) =>
    `belongs to another data directory (${found}); each data directory needs its own ClickHouse server. If that directory is deleted, drop the database: this directory cannot use its events`,
  'mark-missing': () =>
    'is not the one with the events of this data directory; name the server that has them, or restore its data. Without them begin with a new data directory',
  'not-empty': (found) => `has tables of other programs (${found}); give Millrace its own database`,
  'too-old': (found) => `runs ClickHouse ${found}; version ${minVersion.join('.')} or later is required`,
};

/**
 * Ownership record of a data directory for its databases. A directory with the embedded engine has
 * none.
 */
interface OwnerRecord {
  readonly owner: string;
  /**
   * Whether a database has been claimed. Before that, no event is in one, and the directory can
   * still start with the embedded engine.
   */
  readonly claimed: boolean;
  /** Number of databases, if there are several. */
  readonly shards?: number;
}

const recordName = 'clickhouse.json';

/**
 * @throws SettingError if the file is damaged: without it, the owner of the events in the database
 * is unknown
 */
function readRecord(directory: string): OwnerRecord | undefined {
  const path = join(directory, recordName);
  if (!existsSync(path)) return undefined;
  const record = recordOf(readFileSync(path, 'utf8'));
  if (record === undefined)
    throw new SettingError(
      'dataDir',
      `${path} is damaged; write {"owner":"…","claimed":true} into it, with the owner that the view ${database}.owner in ClickHouse names`,
    );
  return record;
}

function recordOf(text: string): OwnerRecord | undefined {
  try {
    const { owner, claimed, shards = 1 } = JSON.parse(text) as Partial<Record<keyof OwnerRecord, unknown>>;
    return typeof owner === 'string' && typeof claimed === 'boolean' && typeof shards === 'number'
      ? { owner, claimed, shards }
      : undefined;
  } catch {
    return undefined;
  }
}

function warnOfPlainText(url: string, logger: Logger): void {
  const { protocol, hostname } = new URL(url);
  if (protocol === 'https:' || /^(127\.|localhost$|\[::1\]$)/.test(hostname)) return;
  logger.warn(
    'the connection to ClickHouse is unencrypted, password and events included: use https or a private network',
  );
}
