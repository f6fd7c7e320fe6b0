import type { ArrivalClock } from '../arrival-clock.js';
import type { Compiled, ReferenceData } from '@millrace/apl';
import type { Engine } from '@millrace/engine';
import type { Logger } from 'pino';
import type { Metadata } from '../metadata/metadata.js';
import type { Metrics } from '../metrics.js';
import type { Call } from '../http/route.js';
import type { Settings } from '../settings/settings.js';
import { httpError } from '../errors.js';
import { DatasetDeleted } from '../storage/readers.js';
import { partitionRows } from '../storage/tables/partition-rows.js';
import type { EventStorage } from '../storage/event-storage.js';
import type { Compilers } from './compile/compilers.js';
import { Examined } from './run/examined.js';
import { History } from './history.js';
import { Jobs } from './run/jobs.js';
import { NewestPartitions } from './run/newest-partitions.js';
import type { EngineMemory } from './run/engine-turns.js';
import { ExportPlaces } from './run/export-places.js';
import { MemoryShares } from './run/memory-shares.js';
import { PlanCache } from './compile/plan-cache.js';
import { ResultCache } from './run/result-cache.js';

/** The parts of the server that all code that reads events uses. */
export interface QueryParts {
  readonly engine: Engine;
  readonly storage: EventStorage;
  readonly metadata: Metadata;
  readonly settings: Settings;
  readonly compilers: Compilers;
  /** The data that functions look things up in. */
  readonly reference?: ReferenceData;
  /** What queries take for now: no event that they see arrived later. */
  readonly arrivalClock: ArrivalClock;
}

/** The same, with what only the routes of queries share. */
export interface QueryService extends QueryParts {
  readonly metrics: Metrics;
  readonly jobs: Jobs;
  readonly cache: ResultCache;
  readonly examined: Examined;
  readonly newest: NewestPartitions;
  readonly plans: PlanCache;
  readonly history: History;
}

export async function openQueries(
  parts: QueryParts,
  { metrics, logger }: { readonly metrics: Metrics; readonly logger: Logger },
): Promise<QueryService> {
  const { engine, storage, metadata, settings, arrivalClock } = parts;
  return {
    ...parts,
    metrics,
    jobs: new Jobs({
      ...settings,
      memory: engineMemoryOf(settings),
      // One session is for backups.
      places: new ExportPlaces({ ...settings, atOnce: settings.exportSessions - 1 }),
      metrics,
    }),
    cache: new ResultCache(storage.knowsVersions ? settings.resultCacheBytes : 0),
    examined: new Examined(),
    newest: new NewestPartitions((datasetId) => partitionRows(engine, datasetId), arrivalClock),
    plans: new PlanCache(),
    history: await History.open(metadata, settings, logger),
  };
}

/**
 * Half of the engine's memory is for queries that need much, a quarter for exports, and the rest
 * for what is assured to queries and for everything else. How much a ClickHouse server has is not
 * known.
 */
function engineMemoryOf(settings: Settings): EngineMemory {
  const { clickhouseUrl, engineMemoryBytes, queryMemoryBytes: most, queryTimeout: patience } = settings;
  const isEmbedded = clickhouseUrl === undefined;
  const assured = isEmbedded ? Math.min(most, settings.assuredQueryMemoryBytes) : most;
  const shares = (part: number) => new MemoryShares({ room: engineMemoryBytes * part, most, assured });
  return { queries: shares(1 / 2), exports: shares(1 / 4), patience };
}

/** Numbers of the datasets with these names. */
const datasetIdsOf = ({ metadata }: QueryService, names: readonly string[]): readonly number[] =>
  names.flatMap((name) => metadata.datasets.find(name)?.datasetId ?? []);

/**
 * The same for a query that is about to read all of them.
 * @throws DatasetDeleted if one was deleted since the query was compiled; HttpError
 * `datasets-apart`
 */
export function readIdsOf(service: QueryService, { datasets }: Compiled): readonly number[] {
  const ids = datasetIdsOf(service, datasets);
  requireTogether(service, datasets);
  if (ids.length < datasets.length) throw new DatasetDeleted();
  return ids;
}

/** @throws HttpError `datasets-apart` when they are on several shards: one query reads one */
export function requireTogether({ metadata }: Pick<QueryParts, 'metadata'>, names: readonly string[]): void {
  const [one, ...others] = names.flatMap((name) => metadata.datasets.find(name) ?? []);
  const other = others.find(({ shard }) => shard !== one?.shard);
  if (one !== undefined && other !== undefined)
    throw httpError('datasets-apart', {
      one: one.name,
      oneShard: one.shard,
      other: other.name,
      otherShard: other.shard,
    });
}

/**
 * The version of the data that a query reads: it changes with every event that is stored or
 * removed.
 */
export const versionOf = (service: QueryService, { datasets }: Compiled): string =>
  service.storage.versionOf(datasetIdsOf(service, datasets));

/**
 * Datasets of a query as its answer names them: those that only a view gives the caller access to
 * are left out.
 */
export const shownDatasets = ({ may }: Pick<Call, 'may'>, { datasets }: Compiled): readonly string[] =>
  datasets.filter((name) => may({ scope: 'dataset', name, resource: 'query', action: 'read' }));
