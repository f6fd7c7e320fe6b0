import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { chartPoints } from '../../data/metrics/chart-points.js';
import { type Metric, runMpl } from '../../data/metrics/metrics-api.js';
import type { Range } from '../../data/time/ranges.js';
import { useNear } from '../../charts/use-in-viewport.js';
import { Sparkline } from '../../widgets/sparkline.js';
import styles from './metrics.module.css';
import { sparkQuery } from './starter-query.js';

const POINTS = 30;

/** Trend of a metric; its query runs while it is in view, after those of the page. */
export function MetricSpark({
  dataset,
  metric,
  range,
}: {
  readonly dataset: string;
  readonly metric: Metric;
  readonly range: Range;
}) {
  const place = useRef<HTMLSpanElement>(null);
  const isNear = useNear(place);
  const mpl = sparkQuery(dataset, metric);
  const { data } = useQuery({
    queryKey: ['spark', mpl, range.from, range.to],
    queryFn: ({ signal }) => runMpl({ mpl, range, points: chartPoints(range, POINTS) }, 'aside', signal),
    enabled: isNear,
    retry: false,
    staleTime: 60_000,
  });
  const [series] = data?.result.series ?? [];
  return (
    <span ref={place} className={styles.spark}>
      {series !== undefined && <Sparkline values={series.data.map((value) => value ?? undefined)} />}
    </span>
  );
}
