import { existsSync, readFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { join, resolve } from 'node:path';
import {
  type Agreement,
  bucketDirectory,
  ClaimError,
  ClusterError,
  type ClaimProblem,
  type ColdStorage,
  type Engine,
  EngineError,
  leastVersion,
  openCluster,
  openEmbedded,
  openRemote,
  type RemoteOptions,
  UnreachableError,
} from '@millrace/engine';
import type { Logger } from 'pino';
import { connectionProblem } from '../connection-problem.js';
import { writeRecord } from '../metadata/record-file.js';
import { addressesOf, shardAddresses } from '../settings/clickhouse-settings.js';
import { flagOf, SettingError, type Settings } from '../settings/settings.js';
import { database } from '../storage/tables/database-name.js';
import { nameOnShard, openShards, shardCalled } from './open-shards.js';

/**
 * Opens the engine that holds the events of a data directory: the embedded one, or a ClickHouse
 * server if the settings name one. A directory stays with the engine it began with, because events
 * do not move by themselves.
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
      `the events of ${directory} are in a ClickHouse server; give its address, or begin with another directory (${flagOf('dataDir')})`,
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

/** What several processes are together on one shard. */
export interface SharedShard {
  readonly known: boolean;
  /** Of those over replicas. */
  readonly agreement?: Agreement | undefined;
}

/**
 * Opens the ClickHouse servers that several processes share.
 * @param cluster what the processes are called together, by which a database knows whose it is
 * @param shards one for each of those that the settings name
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
  return openShards(url, (addresses, shard) => {
    const { known = false, agreement } = shards[shard - 1] ?? {};
    const owner = { id: nameOnShard(cluster, shard), known, shared: true };
    return connected({ settings, addresses, owner, logger, agreement, base: cluster });
  });
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
    return connected({ settings, addresses, owner, logger, waitMilliseconds, base });
  });
  // From now on a database without this owner's mark is the wrong one, no longer one that is still
  // to be claimed.
  const now = { owner: base, claimed: true, shards: shardAddresses(url).length };
  if (!claimed || now.shards !== shards) writeRecord(directory, recordName, now);
  return engine;
}

interface Connecting {
  readonly settings: Settings;
  /** Of one server, or of several replicas. */
  readonly addresses: readonly string[];
  readonly owner: RemoteOptions['owner'];
  /** What the owner is called on the first shard. */
  readonly base: string;
  readonly logger: Logger;
  readonly waitMilliseconds?: number | undefined;
  readonly agreement?: Agreement | undefined;
}

function connected({
  settings,
  addresses,
  owner,
  base,
  logger,
  waitMilliseconds,
  agreement,
}: Connecting): Promise<Engine> {
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

/**
 * The ClickHouse server that the settings name does not answer. Nothing has to be wrong with them:
 * the same start may succeed later.
 */
class ClickHouseAwayError extends Error {
  override readonly name = 'ClickHouseAwayError';
  readonly code = 'clickhouse-away';

  constructor(url: string, cause: UnreachableError) {
    const { detail } = cause;
    const why = /^[A-Z\d_]+$/.test(detail) ? `${connectionProblem(detail)} (${detail})` : detail;
    super(`ClickHouse cannot be reached at ${url}: ${why}`, { cause });
  }
}

function problemOf(error: unknown, url: string, base: string): string {
  if (error instanceof ClusterError) return error.message;
  const shard = error instanceof ClaimError && error.problem === 'of-another' && shardCalled(base, error.found);
  if (typeof shard === 'number')
    return `${url} has shard ${shard} of these events; name the addresses of the shards in the order in which they were named first`;
  if (error instanceof ClaimError)
    return `the database ${database} of ${url} ${claimProblems[error.problem](error.found)}`;
  if (error instanceof EngineError) return `${url} cannot be used: ${error.detail || error.message}`;
  return `${url} cannot be used: ${String(error)}`;
}

const claimProblems: Readonly<Record<ClaimProblem, (found: string) => string>> = {
  'of-another': (found) =>
    `belongs to another data directory (${found}); each needs a ClickHouse server of its own. If that directory is gone for good, drop the database: its events are of no use to this one`,
  'mark-missing': () =>
    'is not the one with the events of this data directory; name the server that has them, or restore its data. Without them begin with a new data directory',
  'not-empty': (found) => `has tables of somebody else (${found}); Millrace needs it for itself`,
  'too-old': (found) => `is of ClickHouse ${found}, which is too old; at least ${leastVersion.join('.')} is needed`,
};

/**
 * The owner that a data directory is to its database. A directory with the embedded engine has no
 * such record.
 */
interface OwnerRecord {
  readonly owner: string;
  /**
   * Whether a database has been claimed. Until then no event is in one, and the directory can still
   * begin with the embedded engine.
   */
  readonly claimed: boolean;
  /** How many databases, if there are several. */
  readonly shards?: number;
}

const recordName = 'clickhouse.json';

/**
 * @throws SettingError when the file is damaged: without it, nobody can tell whose events are in
 * the database
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
    'the password of ClickHouse and all events travel in plain text: use https, or a network that nobody else is in',
  );
}
