import { outline as readOutline } from '@millrace/mpl/editor';
import { useMemo } from 'react';
import { SeriesChart } from '../../charts/series-chart.js';
import { numberText } from '../../charts/units.js';
import { chartUnit } from '../../data/metrics/metric-units.js';
import type { Metric } from '../../data/metrics/metrics-api.js';
import { MILLISECOND } from '../../data/time/instants.js';
import { type Range, rangeOf } from '../../data/time/ranges.js';
import type { StateOf } from '../../data/url-params.js';
import { SegmentedInput } from '../../widgets/inputs/segmented-input.js';
import { EmptyState, ErrorState, LoadingNotice } from '../../widgets/states.js';
import { Button } from '../../widgets/inputs/button.js';
import { metricSeries } from './metric-series.js';
import type { metricsParams } from './metrics-params.js';
import styles from './metrics.module.css';
import { RelatedEvents } from './related-events.js';
import type { MplResult } from './use-mpl-result.js';

/** The result as a chart, with links to logs and traces of the same services and time. */
export function MetricChart({
  state,
  dataset,
  metric,
  result,
  range,
  zone,
  onRange,
  onChange,
}: {
  readonly state: StateOf<typeof metricsParams>;
  readonly dataset: string;
  readonly metric: Metric | undefined;
  readonly result: MplResult;
  readonly range: Range;
  readonly zone: string;
  readonly onRange: (range: Range) => void;
  readonly onChange: (change: Partial<StateOf<typeof metricsParams>>) => void;
}) {
  const { data: answer, error } = result;
  const drawn = useMemo(() => answer && metricSeries(answer), [answer]);
  const metadata = answer?.result.metadata;
  const ucum = metadata?.custom_unit ?? metadata?.unit ?? '';
  const perSecond = (metadata?.custom_unit ?? '') === '' && isRate(state.q);
  const format = useMemo(() => {
    const { unit, suffix } = chartUnit(ucum, perSecond);
    return unit === undefined && suffix === undefined ? undefined : (value: number) => numberText(value, unit, suffix);
  }, [ucum, perSecond]);
  if (error !== null)
    return <ErrorState title="The query failed" error={error} onRetry={() => void result.refetch()} />;
  if (drawn === undefined || metadata === undefined) return <LoadingNotice lines={8} />;
  if (drawn.data.series.every(({ values }) => values.every((value) => value === null)))
    return (
      <EmptyState
        title="No values in this range"
        actions={
          <>
            <Button onPress={() => onRange({ from: 'now-24h', to: 'now' })}>Last 24 hours</Button>
            <Button onPress={() => onRange({ from: 'now-7d', to: 'now' })}>Last 7 days</Button>
          </>
        }
      >
        No series matches the filters, or no point is in the range. A rate needs two points of a series.
      </EmptyState>
    );
  const marks = state.at === 0 ? [] : [{ title: 'selected', from: state.at, bad: false }];
  return (
    <div className={result.isPlaceholderData ? styles.old : undefined}>
      <div className={styles.tools}>
        <SegmentedInput
          label="Chart"
          value={state.kind}
          choices={[
            { id: 'line', title: 'Line' },
            { id: 'area', title: 'Area' },
            { id: 'bar', title: 'Bar' },
          ]}
          onChange={(kind) => onChange({ kind })}
        />
        {metadata.warnings.map((warning) => (
          <span key={warning} className={styles.warning} role="status">
            {warning}
          </span>
        ))}
      </div>
      <div className={styles.chart}>
        <SeriesChart
          data={drawn.data}
          kind={state.kind}
          stacked={state.kind === 'area'}
          zone={zone}
          label="The result as a chart"
          format={format}
          marks={marks}
          onTime={(at) => onChange({ at })}
          onSelect={(start, end) => onRange(rangeOf({ start: nanoseconds(start), end: nanoseconds(end) }))}
        />
      </div>
      <RelatedEvents
        dataset={dataset}
        metric={metric?.name}
        mpl={state.q}
        drawn={drawn}
        at={state.at}
        range={range}
        zone={zone}
        onAt={(at) => onChange({ at })}
      />
    </div>
  );
}

const nanoseconds = (milliseconds: number): bigint => BigInt(Math.round(milliseconds)) * MILLISECOND;

/** Whether the values of a query are per second. */
function isRate(mpl: string): boolean {
  const steps = readOutline(mpl)?.steps ?? [];
  return steps.some(
    (step) =>
      (step.kind === 'align' && step.fn === 'prom::rate') ||
      (step.kind === 'other' && /^map\s+rate$/.test(mpl.slice(step.span.start, step.span.end))),
  );
}
