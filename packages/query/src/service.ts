import type { ArrivalClock } from '@millrace/runtime/arrival-clock';
import type { CompiledQuery, ReferenceData } from '@millrace/apl';
import type { Engine } from '@millrace/engine';
import type { Logger } from 'pino';
import type { Metadata } from '@millrace/metadata/metadata';
import type { Metrics } from '@millrace/http/metrics';
import type { RequestContext } from '@millrace/http/route';
import type { Settings } from '@millrace/http/settings/settings';
import { DatasetDeleted } from '@millrace/storage/readers';
import { partitionRows } from '@millrace/storage/tables/partition-rows';
import type { EventStorage } from '@millrace/storage/event-storage';
import type { Compilers } from './compile/compilers.js';
import { RowCountCache } from './run/row-count-cache.js';
import { History } from './history.js';
import { Jobs, type JobsOptions } from './schedule/jobs.js';
import { NewestPartitions } from './run/newest-partitions.js';
import { QueryCapacity } from './schedule/query-capacity.js';
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
  /** The clock of queries: events they see never arrived later. */
  readonly arrivalClock: ArrivalClock;
}

/** The parts of the query service, including parts that only the query routes share. */
export interface QueryService extends QueryParts {
  readonly metrics: Metrics;
  readonly jobs: Jobs;
  readonly cache: ResultCache;
  readonly examined: RowCountCache;
  readonly newest: NewestPartitions;
  readonly plans: PlanCache;
  readonly history: History;
}

interface QueryOptions {
  readonly metrics: Metrics;
  readonly logger: Logger;
  /** Shared with other organizations. Default: all of the engine. */
  readonly capacity?: QueryCapacity;
  /** Of the organization. Default: those of the server. */
  readonly limits?: Pick<JobsOptions, 'maxQueries' | 'maxQueryBytes'>;
}

export async function openQueries(
  parts: QueryParts,
  { metrics, logger, capacity = new QueryCapacity(parts.settings), limits = {} }: QueryOptions,
): Promise<QueryService> {
  const { engine, storage, metadata, settings, arrivalClock } = parts;
  return {
    ...parts,
    metrics,
    jobs: new Jobs({
      ...settings,
      ...capacity,
      ...limits,
      metrics,
    }),
    cache: new ResultCache(storage.knowsVersions ? settings.resultCacheBytes : 0),
    examined: new RowCountCache(),
    newest: new NewestPartitions((datasetId) => partitionRows(engine, datasetId), arrivalClock),
    plans: new PlanCache(),
    history: await History.open(metadata, settings, logger),
  };
}

/** Numbers of the datasets with these names. */
const datasetIdsOf = ({ metadata }: QueryService, names: readonly string[]): readonly number[] =>
  names.flatMap((name) => metadata.datasets.find(name)?.datasetId ?? []);

/**
 * IDs of the datasets of a query that is about to read all of them.
 * @throws DatasetDeleted if one was deleted since the query was compiled
 */
export function readIdsOf(service: QueryService, { datasets }: CompiledQuery): readonly number[] {
  const ids = datasetIdsOf(service, datasets);
  if (ids.length < datasets.length) throw new DatasetDeleted();
  return ids;
}

/**
 * The version of the data that a query reads: it changes with every event that is stored or
 * removed.
 */
export const versionOf = (service: QueryService, { datasets }: CompiledQuery): string =>
  service.storage.versionOf(datasetIdsOf(service, datasets));

/**
 * Datasets of a query as its response lists them: without datasets that the caller can read only
 * through a view.
 */
export const shownDatasets = ({ may }: Pick<RequestContext, 'may'>, { datasets }: CompiledQuery): readonly string[] =>
  datasets.filter((name) => may({ scope: 'dataset', name, resource: 'query', action: 'read' }));
