import { metricsBounds } from '@millrace/mpl';
import { type compile, type Grid, typeName } from '@millrace/promql';
import type { PrometheusParameters } from './parameters.js';
import { invalidParameter, prometheusError } from './prometheus-error.js';

/** What a request evaluates, and when. */
export interface PromqlRequest {
  readonly text: string;
  readonly kind: 'instant' | 'range';
  readonly grid: Grid;
  /** How far an instant selector looks for a point. */
  readonly lookback: number;
  /** Series in the result; more are left out. */
  readonly limit: number;
}

const defaultLookback = 5 * 60_000;
/** Characters of a query: it is compiled at once. */
const longestText = 100_000;

/** @throws HttpError for an invalid parameter */
export function instantRequest(parameters: PrometheusParameters, now: number): PromqlRequest {
  const grid = { start: parameters.time('time', now), step: 1, length: 1 };
  return { kind: 'instant', grid, ...common(parameters) };
}

/** @throws HttpError for an invalid parameter, or too many points */
export function rangeRequest(parameters: PrometheusParameters): PromqlRequest {
  const start = parameters.time('start');
  const end = parameters.time('end');
  if (end < start) throw invalidParameter('end', 'end timestamp must not be before start time');
  const step = parameters.duration('step');
  if (step <= 0)
    throw invalidParameter(
      'step',
      'zero or negative query resolution step widths are not accepted. Try a positive integer',
    );
  if ((end - start) / step > metricsBounds.windows.max)
    throw prometheusError(
      'bad_data',
      'exceeded maximum resolution of 11,000 points per timeseries. Try decreasing the query resolution (?step=XX)',
    );
  const grid = { start, step, length: Math.floor((end - start) / step) + 1 };
  return { kind: 'range', grid, ...common(parameters) };
}

function common(parameters: PrometheusParameters): Pick<PromqlRequest, 'text' | 'lookback' | 'limit'> {
  const text = parameters.text('query');
  if (text.length > longestText) throw invalidParameter('query', `more than ${longestText} characters`);
  const lookback = parameters.duration('lookback_delta', defaultLookback);
  if (lookback <= 0) throw invalidParameter('lookback_delta', 'must be positive');
  return { text, lookback, limit: parameters.limit() };
}

/** @throws HttpError for a query without a value per time */
export function requireType({ kind }: PromqlRequest, { type }: ReturnType<typeof compile>): void {
  if (kind === 'range' && type !== 'scalar' && type !== 'vector')
    throw invalidParameter(
      'query',
      `invalid expression type ${JSON.stringify(typeName(type))} for range query, must be Scalar or instant Vector`,
    );
}
