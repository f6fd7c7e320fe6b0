import {
  compile,
  evaluate,
  type Expr,
  type Grid,
  lastOf,
  ParseProblem,
  type QueryTimes,
  readsOf,
  scopeOf,
  type Value,
} from '@millrace/promql';
import type { QueryRunContext } from '../context.js';
import { boundedWork } from '../mpl/bounded-work.js';
import { metricsDataset, readMetrics } from '../mpl/run-mpl.js';
import { retryOnChange } from '../retries.js';
import { withProblems } from './problems.js';
import { invalidParameter } from './prometheus-error.js';
import { readSelectors } from './read-selectors.js';
import { type PromqlRequest, requireType } from './request.js';

/** A query in PromQL, from its text to a value. */

export interface PromqlOutcome {
  readonly request: PromqlRequest;
  readonly value: Value;
  readonly warnings: readonly string[];
}

const subqueryStep = 60_000;

/**
 * Compiles and runs a query over everything acknowledged before it.
 * @throws HttpError, EngineError
 */
export function runPromql(request: PromqlRequest, dataset: string, context: QueryRunContext): Promise<PromqlOutcome> {
  const { grid, lookback } = request;
  const times: QueryTimes = { start: grid.start, end: lastOf(grid), lookback, subqueryStep };
  return retryOnChange({
    prepare: async () => ({ expr: compileRequest(request), record: metricsDataset(dataset, context) }),
    perform: async ({ expr, record }) =>
      withProblems(async () => {
        const reads = readsOf(expr, grid, times);
        const { value, partial } =
          reads.length === 0
            ? await evaluateAlone(expr, grid, times, context)
            : await readMetrics(record, context, async ({ partial, ...stored }) => {
                const { work, take } = stored;
                const series = await readSelectors(reads, stored);
                return { value: await take(evaluate(expr, scopeOf(grid, { query: times, ...series, work }))), partial };
              });
        const warnings = partial ? ['recent data is missing: the server cannot store it at the moment'] : [];
        return { request, value, warnings };
      }),
  });
}

function compileRequest(request: PromqlRequest) {
  try {
    const found = compile(request.text);
    requireType(request, found);
    return found.expr;
  } catch (error) {
    if (error instanceof ParseProblem) throw invalidParameter('query', error.message);
    throw error;
  }
}

/** An expression without selectors. */
const evaluateAlone = (expr: Expr, grid: Grid, query: QueryTimes, { execution, service }: QueryRunContext) =>
  execution.runInSlot(async (deadline, grant) => {
    const { signal } = execution;
    const { work, take } = boundedWork({ signal, deadline, grant, settings: service.settings });
    const steps = evaluate(expr, scopeOf(grid, { query, points: new Map(), work }));
    return { value: await take(steps), partial: false };
  });
