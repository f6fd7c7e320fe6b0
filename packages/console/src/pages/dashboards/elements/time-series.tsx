import { CannotShow } from '../../../widgets/load-error.js';
import { useMemo } from 'react';
import { SeriesChart } from '../../../charts/series-chart.js';
import { type SeriesData, seriesOf } from '../../../charts/series-data.js';
import { instantText, MILLISECOND } from '../../../data/time/instants.js';
import { usePointAtGroup } from '../../../rows/group-value.js';
import { shownName } from '../document/document.js';
import { useMarksOf } from '../use-dashboard-annotations.js';
import styles from './elements.module.css';
import { formatOf, hasUnit } from './element-format.js';
import { type DrawProps, type ElementKind, overTime } from './element-kind.js';
import { Figures } from './shapes.js';
import { Rows } from './rows.js';
import { chartLevels, timeSeriesOptions } from './time-series-options.js';
import { withEarlier } from './compare-earlier.js';

type DrawableSeries = Extract<SeriesData, { readonly kind: 'times' | 'groups' }>;

function TimeSeries({ chart, answer, earlier, zone, onRange }: DrawProps) {
  const options = timeSeriesOptions(chart);
  const data = useMemo(() => seriesOf(answer), [answer]);
  const both = useMemo(
    () =>
      earlier === undefined || data.kind !== 'times'
        ? { data, names: undefined }
        : withEarlier(data, seriesOf(earlier.answer), earlier.by, earlier.title),
    [data, earlier],
  );
  const levels = useMemo(() => chartLevels(chart), [chart]);
  const marks = useMarksOf(answer);
  const onPoint = usePointAtGroup(answer);
  const format = useMemo(() => (hasUnit(chart) ? formatOf(chart) : undefined), [chart]);
  if (data.kind === 'none') throw new CannotShow(overTime);
  if (data.kind === 'figures') return <Figures chart={chart} figures={data.figures} />;
  return (
    <>
      {options.view !== 'table' && (
        <SeriesChart
          small
          data={both.data as DrawableSeries}
          kind={data.kind === 'groups' ? 'bar' : options.kind}
          stacked={options.stacked}
          nulls={options.nulls}
          logarithmic={options.logarithmic}
          {...(both.names !== undefined && { earlier: both.names })}
          {...(data.kind === 'times' && { together: 'board' })}
          zone={zone}
          format={format}
          label={shownName(chart)}
          marks={marks}
          levels={levels}
          statistics={options.statistics}
          onPoint={onPoint}
          onSelect={(start, end) => onRange({ from: milliseconds(start), to: milliseconds(end) })}
        />
      )}
      {options.view !== 'chart' && (
        <div className={styles.half}>
          <Rows chart={chart} answer={answer} zone={zone} />
        </div>
      )}
    </>
  );
}

const milliseconds = (at: number): string => instantText(BigInt(Math.round(at)) * MILLISECOND);

export const timeSeries: ElementKind = {
  title: 'Time series',
  about: 'Numbers over time, as lines, areas or bars.',
  size: [6, 4],
  asks: true,
  rows: 20_000,
  cut: 'series',
  begins: ({ group }) => `summarize count() by bin_auto(_time)${group === undefined ? '' : `, ${group}`}`,
  starter: { query: { apl: '', queryOptions: { timeSeriesVariant: 'line', displayNull: 'auto' } } },
  Draw: TimeSeries,
};
