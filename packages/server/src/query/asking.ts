import type { Call } from '../http/route.js';
import type { Course } from './run/jobs.js';
import type { QueryService } from './service.js';

/** Who asks, and as part of what. */
export interface Asking {
  /** Monitors ask without a principal. */
  readonly call: Pick<Call, 'may' | 'renew'> & Partial<Pick<Call, 'principal'>>;
  readonly course: Course;
  readonly service: QueryService;
  /** When the query was asked, nanoseconds since the epoch. */
  readonly now: bigint;
  /** For a request that is held, the time of the attempt. */
  readonly impliedEnd?: bigint;
  /** Whether what was found before may be the answer. */
  readonly cached: boolean;
}
