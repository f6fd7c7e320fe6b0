import { nameText } from '@millrace/mpl/editor';
import type { Metric } from '../../data/metrics/metrics-api.js';

/** The query that shows a metric when it is chosen, by its type. */

/** Width that the server derives from the time range. */
export const AUTO_WIDTH = '$__interval';

const QUANTILES = '0.5, 0.95, 0.99';

/** Distribution of a histogram. */
export const quantilesOf = ({ temporality }: Pick<Metric, 'temporality'>): string =>
  temporality === 'Delta'
    ? `interpolate_delta_histogram(${QUANTILES})`
    : `interpolate_cumulative_histogram(rate, ${QUANTILES})`;

/** Histograms of Prometheus have a metric of buckets. */
export const isHistogram = ({ name, type }: Pick<Metric, 'name' | 'type'>): boolean =>
  type === 'Histogram' || (type === 'CounterMonotonic' && name.endsWith('_bucket'));

const isCounter = ({ type }: Pick<Metric, 'type'>): boolean => type === 'CounterMonotonic';

const sourceOf = (dataset: string, { name }: Metric): string => `${nameText(dataset)}:${nameText(name)}`;

/** All series in a single line: rates of counters, means of gauges, quantiles of histograms. */
export function starterQuery(dataset: string, metric: Metric): string {
  const source = sourceOf(dataset, metric);
  if (isHistogram(metric)) return `${source}\n| bucket to ${AUTO_WIDTH} using ${quantilesOf(metric)}`;
  return `${source}\n${stepsOf(metric).join('\n')}`;
}

/** A small chart next to the name of a metric: one series, and cheap. */
export function sparkQuery(dataset: string, metric: Metric): string {
  const counted = metric.type === 'Histogram' ? ['| where `axiom.histogram` == "count"'] : [];
  const steps = isHistogram(metric) ? rates : stepsOf(metric);
  return [sourceOf(dataset, metric), ...counted, ...steps].join('\n');
}

const rates = [`| align to ${AUTO_WIDTH} using prom::rate`, '| group using sum'];

function stepsOf(metric: Metric): readonly string[] {
  if (isCounter(metric)) return rates;
  // A sum that goes up and down, such as open connections, adds up over its series.
  if (metric.type === 'CounterNonMonotonic') return [`| align to ${AUTO_WIDTH} using last`, '| group using sum'];
  return [`| align to ${AUTO_WIDTH} using avg`, '| group using avg'];
}
