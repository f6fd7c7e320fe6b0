import type { QueryBound } from '@millrace/apl';

/** Fixed limits of a query of metrics. docs/limits.md lists them. */
export const metricsBounds = {
  series: {
    max: 50_000,
    what: 'series that a metrics query reads',
    reason: 'Each has its tags in memory; a chart with more lines cannot be read.',
  },
  answeredSeries: {
    max: 10_000,
    what: 'series in the result of a metrics query',
    reason: 'Above it, the result has hundreds of megabytes; group by fewer tags.',
  },
  points: {
    max: 2_000_000,
    what: 'data points that a metrics query reads, which the engine did not combine',
    reason: 'Each takes 16 bytes in memory. The engine computes most functions of windows and returns no points.',
  },
  windows: {
    max: 11_000,
    what: 'windows of a series in a metrics query',
    reason: 'Equals the limit of Prometheus; more than a screen has pixels.',
  },
  cells: {
    max: 20_000_000,
    what: 'series times windows in a metrics query',
    reason: 'Each takes 8 bytes in memory, and steps copy them.',
  },
  subqueryTimes: {
    max: 500_000,
    what: 'times at which a subquery of PromQL is evaluated',
    reason: 'Six days of seconds. Each step of the evaluation works on all of them before others run.',
  },
  tagText: {
    max: 65_536,
    what: 'characters in a tag that a metrics query adds',
    reason: 'Each tag may repeat the ones before it, so lengths would double with each.',
  },
  params: {
    max: 128,
    what: 'parameters of a metrics query',
    reason: 'Matches the documented API limit.',
  },
} as const satisfies Readonly<Record<string, QueryBound>>;

/** A query exceeds one of the bounds. The message says which, and what to do. */
export class BoundExceeded extends Error {
  constructor(bound: QueryBound, remedy: string) {
    super(`more than ${bound.max} ${bound.what}; ${remedy}`);
  }
}
