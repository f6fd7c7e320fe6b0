import type { RequestContext } from '@millrace/http/route';
import type { QueryExecution } from './schedule/jobs.js';
import type { QueryService } from './service.js';

/** The caller of a query, and the execution it belongs to. */
export interface QueryRunContext {
  /** Monitors query without a principal. */
  readonly call: Pick<RequestContext, 'may' | 'renew'> & Partial<Pick<RequestContext, 'principal'>>;
  readonly execution: QueryExecution;
  readonly service: QueryService;
  /** When the query arrived, nanoseconds since the epoch. */
  readonly now: bigint;
  /** For a long-polled request, the time of the attempt. */
  readonly impliedEnd?: bigint;
  /** Whether a cached result may be used. */
  readonly cached: boolean;
}
