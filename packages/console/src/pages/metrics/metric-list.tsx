import { useMemo } from 'react';
import { countText } from '../../data/format-units.js';
import type { Metric } from '../../data/metrics/metrics-api.js';
import { metricDetail } from '../../data/metrics/metric-detail.js';
import type { Range } from '../../data/time/ranges.js';
import { TextField } from '../../widgets/inputs/text-field.js';
import { BreakableName } from '../../widgets/untrusted-text.js';
import { MetricSpark } from './metric-spark.js';
import styles from './metrics.module.css';

/** Longer lists are slow and unreadable. */
const MAX_LISTED = 300;

/** Metrics to choose from, each with type, unit and trend. */
export function MetricList({
  dataset,
  metrics,
  range,
  find,
  chosen,
  onFind,
  onChoose,
}: {
  readonly dataset: string;
  readonly metrics: readonly Metric[];
  readonly range: Range;
  readonly find: string;
  /** Name of the metric of the query. */
  readonly chosen: string | undefined;
  readonly onFind: (find: string) => void;
  readonly onChoose: (metric: Metric) => void;
}) {
  const found = useMemo(() => {
    const words = find.toLowerCase().split(/\s+/);
    return metrics.filter((metric) => {
      const text = `${metric.name} ${metricDetail(metric)}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
  }, [metrics, find]);
  return (
    <nav className={styles.list} aria-label="Metrics">
      <div role="search" className={styles.find}>
        <TextField
          label="Find a metric"
          bare
          type="search"
          placeholder={`Search ${metrics.length === 1 ? 'one metric' : `${countText(metrics.length)} metrics`}`}
          value={find}
          onChange={onFind}
        />
      </div>
      <ul className={styles.metrics} tabIndex={-1}>
        {found.slice(0, MAX_LISTED).map((metric) => (
          <li key={metric.name}>
            <button
              type="button"
              className={styles.metric}
              aria-current={metric.name === chosen}
              onClick={() => onChoose(metric)}
            >
              <span className={styles.name}>
                <BreakableName name={metric.name} />
              </span>
              <span className={styles.detail}>{metricDetail(metric)}</span>
              <MetricSpark dataset={dataset} metric={metric} range={range} />
            </button>
          </li>
        ))}
        {found.length > MAX_LISTED && (
          <li className={styles.more}>and {countText(found.length - MAX_LISTED)} more; search to find them</li>
        )}
        {found.length === 0 && <li className={styles.more}>No metrics match {find}</li>}
      </ul>
    </nav>
  );
}
