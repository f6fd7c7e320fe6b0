import { compile } from '@millrace/apl';
import { allowed, type Principal } from '../access/allowed.js';
import type { Base } from '../server.js';
import { catalogueFor } from './catalogue.js';
import { History } from './history.js';
import { Jobs } from './jobs.js';
import { queryError } from './query-error.js';
import { ResultCache } from './result-cache.js';
import type { QueryService } from './service.js';

/** Makes what the routes of queries share. */
export async function openQueries(
  { settings, metadata, metrics, logger }: Base,
  parts: Omit<QueryService, 'jobs' | 'cache' | 'history'>,
): Promise<QueryService> {
  return {
    ...parts,
    jobs: new Jobs({ atOnce: settings.engineSessions, perToken: settings.maxConcurrentQueries, metrics }),
    cache: new ResultCache(settings.resultCacheBytes),
    history: await History.open(metadata.database, settings.queryHistory, logger),
  };
}

/** Compiles what is going to be stored, with the rights of who stores it: mistakes are told then, not when it is used. */
export const checkQueryOf =
  (service: QueryService) =>
  async (apl: string, principal: Principal): Promise<void> => {
    const { settings, clock } = service;
    const catalogue = await catalogueFor({ may: (need) => allowed(principal, need) }, service);
    const now = clock();
    const compiled = compile(apl, {
      catalogue,
      now,
      range: { start: 0n, end: now, given: { start: false, end: false } },
      defaultLimit: settings.defaultQueryLimit,
      maxLimit: settings.maxQueryLimit,
      maxBinAutoGroups: 300,
    });
    if (compiled.kind === 'failed') throw queryError(apl, compiled.diagnostics);
  };
