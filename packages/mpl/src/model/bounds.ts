import type { QueryBound } from '@millrace/apl';

/** Fixed limits of a query of metrics. docs/limits.md lists them. */
export const metricsBounds = {
  series: {
    most: 50_000,
    of: 'series that a metrics query reads',
    reason: 'Each has its tags in memory; a chart with more lines cannot be read.',
  },
  answeredSeries: {
    most: 10_000,
    of: 'series in the result of a metrics query',
    reason: 'Above it, the result has hundreds of megabytes; group by fewer tags.',
  },
  points: {
    most: 2_000_000,
    of: 'data points that a metrics query reads without an alignment in the engine',
    reason: 'Each takes 16 bytes in memory; rates and histograms need every point.',
  },
  windows: {
    most: 11_000,
    of: 'windows of a series in a metrics query',
    reason: 'Equals the limit of Prometheus; more than a screen has pixels.',
  },
  cells: {
    most: 20_000_000,
    of: 'series times windows in a metrics query',
    reason: 'Each takes 8 bytes in memory, and steps copy them.',
  },
  params: {
    most: 128,
    of: 'parameters of a metrics query',
    reason: 'Matches the documented API limit.',
  },
} as const satisfies Readonly<Record<string, QueryBound>>;

/** A query exceeds one of the bounds. The message says which, and what to do. */
export class BoundExceeded extends Error {
  constructor(bound: QueryBound, remedy: string) {
    super(`more than ${bound.most} ${bound.of}; ${remedy}`);
  }
}
