import type { Metric } from './metrics-api.js';
import { unitText } from './metric-units.js';

const typeTitles: Readonly<Record<string, string>> = {
  Gauge: 'Gauge',
  CounterMonotonic: 'Counter',
  CounterNonMonotonic: 'Up-down counter',
  Histogram: 'Histogram',
  Summary: 'Summary',
  Mixed: 'Mixed types',
};

/** Type and unit in words. */
export const metricDetail = ({ type, temporality, unit }: Metric): string =>
  [typeTitles[type ?? ''] ?? type ?? '', temporality === 'Delta' ? 'delta' : '', unitText(unit)]
    .filter((part) => part !== '')
    .join(' · ');
