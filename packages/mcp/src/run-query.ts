import type { Diagnostic } from '@millrace/apl';
import { HttpError } from '@millrace/api/errors';
import { aplRequest } from '@millrace/query/compile/request';
import type { QueryRunContext } from '@millrace/query/context';
import { findingsOf, prepare } from '@millrace/query/prepare';
import { shownRange } from '@millrace/query/results/respond';
import { retryOnChange } from '@millrace/query/retries';
import type { QueryOutcome } from '@millrace/query/run/outcome';
import { runPlan } from '@millrace/query/run-plan';
import { shownDatasets } from '@millrace/query/service';
import type { AgentContext } from './context.js';

/** A query of an agent. */
export interface AgentQuery {
  readonly apl: string;
  readonly startTime?: string | undefined;
  readonly endTime?: string | undefined;
  readonly cursor?: string | undefined;
  /** Rows, if they are events and the query has no limit. */
  readonly limit?: number;
  /** Maximum bins of `bin_auto`. */
  readonly bins?: number;
}

/** What an agent's query found. */
export interface AgentResult {
  readonly outcome: QueryOutcome;
  /** Datasets it read that the agent may know of. */
  readonly datasets: readonly string[];
  /** Nanoseconds since the epoch. */
  readonly range: { readonly start: bigint; readonly end: bigint };
  readonly now: bigint;
  readonly milliseconds: number;
}

/** A query that cannot be compiled, with what the compiler found. */
export class QueryProblem extends Error {
  override readonly name = 'QueryProblem';

  readonly error: HttpError;
  readonly apl: string;
  readonly findings: readonly Diagnostic[];

  constructor(error: HttpError, apl: string, findings: readonly Diagnostic[]) {
    super(error.message);
    this.error = error;
    this.apl = apl;
    this.findings = findings;
  }
}

export const standardStart = 'now-1h';

/**
 * Runs a query with the rights and in the quota of the agent's token. It appears among the running
 * queries and in the query history. `externaldata` is rejected: text in an event could make an
 * agent send data to another host.
 * @throws QueryProblem, HttpError, EngineError
 */
export function runQuery(query: AgentQuery, { call, service, agent }: AgentContext): Promise<AgentResult> {
  const { apl, startTime = standardStart, endTime = 'now', cursor, limit, bins } = query;
  const started = performance.now();
  return service.jobs.run(call, { kind: 'apl', text: apl }, async (execution) => {
    const now = service.arrivalClock();
    const body = {
      apl,
      startTime,
      endTime,
      // An answer may end after any row, and names its cursor.
      includeCursorField: true,
      ...(cursor !== undefined && { cursor }),
      ...(limit !== undefined && { defaultLimit: limit }),
      ...(bins !== undefined && { maxBinAutoGroups: bins }),
    };
    const request = aplRequest(body, {}, now);
    const context: QueryRunContext = { call, execution, service, now, impliedEnd: now, cached: true };
    const how = { timeout: service.settings.mcpQueryTimeout, cursor: request.cursor?.place.time };
    try {
      const outcome = await retryOnChange({
        prepare: () => prepare(request, context, { externalHosts: [] }),
        perform: (plan) => runPlan(plan, context, how),
      });
      const datasets = shownDatasets(call, outcome.compiled);
      if (call.principal.kind !== 'anonymous') {
        const kept = JSON.stringify({ ...body, agent });
        service.history.add(call.principal, { kind: 'apl', dataset: datasets[0] ?? '', query: kept });
      }
      const range = shownRange(outcome.compiled, request, now);
      return { outcome, datasets, range, now, milliseconds: performance.now() - started };
    } catch (error) {
      if (!(error instanceof HttpError && unreadable.has(error.code))) throw error;
      throw new QueryProblem(error, apl, await findingsOf(request, context).catch(() => []));
    }
  });
}

const unreadable: ReadonlySet<string> = new Set(['invalid-query', 'query-dataset-not-found']);
