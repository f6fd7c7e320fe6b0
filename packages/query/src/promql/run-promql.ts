import {
  compile,
  evaluate,
  lastOf,
  ParseProblem,
  type QueryTimes,
  readsOf,
  scopeOf,
  type Value,
} from '@millrace/promql';
import { httpError } from '@millrace/api/errors';
import { Yielder } from '@millrace/runtime/async/yield';
import type { QueryRunContext } from '../context.js';
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
    prepare: async () => ({ expr: compiled(request), record: metricsDataset(dataset, context) }),
    perform: async ({ expr, record }) =>
      withProblems(async () => {
        const reads = readsOf(expr, grid, times);
        const { points, partial } =
          reads.length === 0
            ? { points: new Map(), partial: false }
            : await readMetrics(record, context, async ({ partial, ...stored }) => ({
                points: await readSelectors(reads, stored),
                partial,
              }));
        const value = await context.execution.runPhase('running', (signal) =>
          inTurns(evaluate(expr, scopeOf(grid, times, points)), signal),
        );
        const warnings = partial ? ['recent data is missing: the server cannot store it at the moment'] : [];
        return { request, value, warnings };
      }),
  });
}

function compiled(request: PromqlRequest) {
  try {
    const found = compile(request.text);
    requireType(request, found);
    return found.expr;
  } catch (error) {
    if (error instanceof ParseProblem) throw invalidParameter('query', error.message);
    throw error;
  }
}

/** Takes the steps of an evaluation, with other work in between. */
async function inTurns<T>(steps: Generator<void, T>, signal: AbortSignal): Promise<T> {
  const yielder = new Yielder();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await yielder.maybeYield();
    if (signal.aborted) throw httpError('query-cancelled', {});
  }
}
