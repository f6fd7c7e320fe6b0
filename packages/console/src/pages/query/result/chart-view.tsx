import { useMemo } from 'react';
import type { Answer } from '../../../data/results/results.js';
import { type Cell, textOf } from '../../../data/results/cells.js';
import { parseInstant } from '../../../data/time/instants.js';
import { rangeOf } from '../../../data/time/ranges.js';
import { SeriesChart } from '../../../charts/series-chart.js';
import { seriesOf } from '../../../charts/series-data.js';
import { usePointAtGroup } from '../../../rows/group-value.js';
import { EmptyState } from '../../../widgets/states.js';
import { numberText } from '../../../charts/units.js';
import styles from '../query.module.css';
import { ChartOptions } from './chart-options.js';
import { hasHistograms, HeatView } from './heat-view.js';
import { ResultFooter } from './result-footer.js';
import type { ViewProps } from './views.js';

const kinds: Readonly<Record<string, 'line' | 'area' | 'bar' | 'scatter'>> = {
  linechart: 'line',
  timechart: 'line',
  areachart: 'area',
  stackedareachart: 'area',
  barchart: 'bar',
  columnchart: 'bar',
  scatterchart: 'scatter',
};

/** Readable number of digits; the tooltip has all. */
const figureText = (cell: Cell): string =>
  typeof cell === 'number' || typeof cell === 'bigint'
    ? cell.toLocaleString(
        'en',
        typeof cell === 'bigint' || Number.isInteger(cell) ? {} : { maximumSignificantDigits: 6 },
      )
    : textOf(cell);

/** Numbers over time or by group as a chart; a single row as statistics. */
export function ChartView({ access, result, outline, run }: ViewProps) {
  const { answer } = result;
  if (answer === undefined) return null;
  if (hasHistograms(answer))
    return (
      <>
        <div className={styles.chart}>
          <HeatView answer={answer} access={access} outline={outline} run={run} />
        </div>
        <ResultFooter result={result} zone={access.zone} />
      </>
    );
  return <ChartBody answer={answer} access={access} outline={outline} result={result} />;
}

type DrawnProps = Pick<ViewProps, 'access' | 'outline' | 'result'> & { readonly answer: Answer };

function ChartBody({ answer, access, outline, result }: DrawnProps) {
  const { zone, ask, state } = access;
  const { unit, digits } = state;
  const format = useMemo(
    () =>
      unit === '' && digits === ''
        ? undefined
        : (value: number) =>
            numberText(value, unit || undefined, undefined, digits === '' ? undefined : Number(digits)),
    [unit, digits],
  );
  const data = useMemo(() => seriesOf(answer), [answer]);
  const onPoint = usePointAtGroup(answer);
  if (data.kind === 'none')
    return (
      <EmptyState title="No chart for this result">
        Charts need numeric values. Try summarize count() by bin(_time, 1m).
      </EmptyState>
    );
  if (data.kind === 'figures')
    return (
      <dl className={styles.statistic}>
        {data.figures.map(({ name, cell }) => (
          <div key={name}>
            <dt className={styles.figureName}>{name}</dt>
            <dd className={styles.figure} title={textOf(cell)}>
              {figureText(cell)}
            </dd>
          </div>
        ))}
      </dl>
    );
  const fitting = kinds[outline?.chart ?? ''] ?? (data.kind === 'groups' ? 'bar' : 'line');
  const kind = state.kind === 'auto' ? fitting : state.kind;
  const isStacked = state.kind === 'auto' ? /stacked|area/.test(outline?.chart ?? '') : kind === 'area';
  return (
    <>
      <div className={styles.chart}>
        <ChartOptions access={access} fitting={fitting} />
        <SeriesChart
          data={data}
          kind={kind}
          stacked={state.stack === 'auto' ? isStacked : state.stack === 'on'}
          format={format}
          statistics={state.legend === 'numbers'}
          zone={zone}
          label="The result as a chart"
          onPoint={onPoint}
          onSelect={(start, end) => {
            const bounds = [start, end].map((each) => parseInstant(new Date(each).toISOString()));
            if (bounds[0] !== undefined && bounds[1] !== undefined) ask(rangeOf({ start: bounds[0], end: bounds[1] }));
          }}
        />
      </div>
      <ResultFooter result={result} zone={zone} />
    </>
  );
}
