import type { Base } from '../serving.js';
import { Examined } from './run/examined.js';
import { History } from './history.js';
import { Jobs } from './run/jobs.js';
import { NewestPartitions } from './run/newest-partitions.js';
import { PlanCache } from './compile/plan-cache.js';
import { ResultCache } from './run/result-cache.js';
import { partitionRows } from '../storage/tables/partition-rows.js';
import type { QueryService } from './service.js';

/** Makes what the routes of queries share. */
export async function openQueries(
  { settings, metadata, metrics, logger }: Base,
  parts: Omit<QueryService, 'jobs' | 'cache' | 'examined' | 'newest' | 'plans' | 'history'>,
): Promise<QueryService> {
  return {
    ...parts,
    jobs: new Jobs({
      atOnce: settings.engineSessions,
      perToken: settings.maxConcurrentQueries,
      milliseconds: settings.queryTimeout,
      metrics,
    }),
    cache: new ResultCache(settings.resultCacheBytes),
    examined: new Examined(),
    newest: new NewestPartitions((datasetId) => partitionRows(parts.engine, datasetId), parts.clock),
    plans: new PlanCache(),
    history: await History.open(metadata, settings.queryHistory, logger),
  };
}
