import type { EChartsType } from 'echarts/core';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useActiveTheme } from '../data/active-theme.js';
import { colorsOf } from '../theme/value-colors.js';
import { Button } from '../widgets/inputs/button.js';
import { cx } from '../widgets/class-names.js';
import type { PointedWith } from '../widgets/pointer-type.js';
import { partialEdges, isCut, completeValues } from './partial-buckets.js';
import { chartIn, connectCharts } from './echarts.js';
import { allSeries } from './series-choice.js';
import { MoreMenu } from '../widgets/overlays/more-menu.js';
import { SeriesLegend } from './series-legend.js';
import { type ChartAnnotation, type ChartLevel, type DrawableSeries, optionOf, sentenceOf } from './series-option.js';
import { exactText } from './exact-text.js';
import { statisticsOf } from './series-statistics.js';
import { thinPoints } from './downsample.js';
import { numberText } from './units.js';
import { timeText } from './time-labels.js';
import { useNear } from './use-in-viewport.js';
import { resolveColor } from './resolve-color.js';
import styles from './series-chart.module.css';

interface SeriesChartProps {
  readonly data: DrawableSeries;
  readonly kind: 'line' | 'area' | 'bar' | 'scatter';
  readonly stacked: boolean;
  readonly zone: string;
  readonly label: string;
  /** Selected range in milliseconds. */
  readonly onSelect: (start: number, end: number) => void;
  /** Compact: fills its container, and a menu replaces its buttons. */
  readonly small?: boolean;
  /** Whether the scale is initially logarithmic. */
  readonly logarithmic?: boolean;
  /** Replacement for missing values; a gap by default. */
  readonly nulls?: 'gap' | 'join' | 'zero';
  /** Dashed series of an earlier time, with their current counterparts. */
  readonly earlier?: ReadonlyMap<string, string>;
  /** Annotations. */
  readonly marks?: readonly ChartAnnotation[];
  /** Thresholds. */
  readonly levels?: readonly ChartLevel[];
  /** Whether the legend initially has the numbers of each series. */
  readonly statistics?: boolean;
  /** Called with the time that was clicked, of those of the data. */
  readonly onTime?: (time: number) => void;
  /** Called when the user selects a series or the bar of a group. */
  readonly onPoint?: ((event: PointedWith, name: string) => void) | undefined;
  /** Charts with the same name share the crosshair. */
  readonly together?: string;
  /** Formats numbers; default as in JavaScript. */
  readonly format?: ((value: number) => string) | undefined;
}

/** Lines, areas, bars or points, with a table as text alternative. */
export function SeriesChart(props: SeriesChartProps) {
  const { data, kind, stacked, zone, label, onSelect, nulls, together } = props;
  const { earlier = noNames, marks = noMarks, levels = noLevels, format } = props;
  const isOverTime = data.kind === 'times';
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<EChartsType>(undefined);
  const [choice, setChoice] = useState(allSeries);
  const [asTable, setAsTable] = useState(false);
  const [log, setLog] = useState(props.logarithmic ?? false);
  const [withStatistics, setWithStatistics] = useState(props.statistics ?? false);
  useEffect(() => setWithStatistics(props.statistics ?? false), [props.statistics]);
  const statistics = useMemo(
    () => (withStatistics && data.kind === 'times' ? wholeStatistics(data) : undefined),
    [withStatistics, data],
  );
  const near = useNear(place);
  const theme = useActiveTheme();
  const names = useMemo(() => data.series.map(({ name }) => name), [data]);
  // A series of an earlier time has the color of its counterpart.
  const colors = useMemo(() => {
    const own = names.filter((name) => !earlier.has(name));
    const byName = new Map(colorsOf(own, data.missing).map((color, index) => [own[index]!, color]));
    return names.map((name) => byName.get(earlier.get(name) ?? name) ?? 'var(--line-strong)');
  }, [names, earlier, data.missing]);
  const select = useRef(onSelect);
  select.current = onSelect;
  /** Where a bar was clicked. */
  const spot = useRef<HTMLSpanElement>(null);
  const point = useRef(props.onPoint);
  point.current = isOverTime ? undefined : props.onPoint;
  const clicked = useRef(props.onTime);
  clicked.current = props.onTime;
  const times = useRef<readonly number[]>([]);
  times.current = data.kind === 'times' ? data.times : [];
  const isDrawn = near && !asTable;
  const cut = isOverTime ? partialEdges(data) : undefined;

  // One canvas per mount; new results are drawn on it.
  useEffect(() => {
    if (!isDrawn || place.current === null) return undefined;
    const element = place.current;
    const made = chartIn(element);
    chart.current = made;
    if (together !== undefined) {
      made.group = together;
      connectCharts(together);
    }
    const resize = new ResizeObserver(() => made.resize());
    resize.observe(element);
    made.on('brushEnd', (event) => {
      const [start, end] = (event as { areas?: { coordRange?: [number, number] }[] }).areas?.[0]?.coordRange ?? [];
      if (start !== undefined && end !== undefined && end > start) select.current(start, end);
    });
    made.getZr().on('click', ({ offsetX, offsetY }) => {
      const place = [offsetX, offsetY];
      if (clicked.current === undefined || !made.containPixel('grid', place)) return;
      const time = nearestTime(times.current, made.convertFromPixel('grid', place)[0]!);
      if (time !== undefined) clicked.current(time);
    });
    made.on('click', ({ name, event }) => {
      const { event: pressed, offsetX, offsetY } = Object(event) as ChartClick;
      const { current: currentTarget } = spot;
      if (pressed === undefined || currentTarget === null) return;
      Object.assign(currentTarget.style, { left: `${offsetX}px`, top: `${offsetY}px` });
      const { metaKey, ctrlKey, altKey } = pressed;
      point.current?.({ currentTarget, metaKey, ctrlKey, altKey }, name);
    });
    return () => {
      resize.disconnect();
      made.dispose();
      chart.current = undefined;
    };
  }, [isDrawn, together]);

  useEffect(() => {
    const { current } = chart;
    if (current === undefined) return;
    const style = getComputedStyle(document.documentElement);
    const color = (text: string): string => resolveColor(text, (name) => style.getPropertyValue(name));
    const drawn = {
      data: thinPoints(data, stacked),
      kind,
      stacked,
      zone,
      nulls,
      earlier,
      marks,
      levels,
      log,
      choice,
      format,
    };
    current.setOption(
      optionOf(drawn, colors.map(color), (name) => color(`var(--${name})`)),
      { notMerge: true },
    );
    if (isOverTime)
      current.dispatchAction({
        type: 'takeGlobalCursor',
        key: 'brush',
        brushOption: { brushType: 'lineX', brushMode: 'single' },
      });
  }, [
    isDrawn,
    isOverTime,
    data,
    kind,
    stacked,
    zone,
    nulls,
    earlier,
    marks,
    levels,
    log,
    choice,
    format,
    colors,
    theme,
  ]);

  const options = [
    { id: 'log', title: log ? 'Linear axis' : 'Logarithmic axis', run: () => setLog(!log) },
    ...(isOverTime
      ? [
          {
            id: 'statistics',
            title: withStatistics ? 'Hide statistics' : 'Show statistics',
            run: () => setWithStatistics(!withStatistics),
          },
        ]
      : []),
    { id: 'table', title: asTable ? 'Show as chart' : 'Show as table', run: () => setAsTable(!asTable) },
  ];
  return (
    <figure
      className={cx(styles.figure, props.small === true && styles.small)}
      aria-label={`${label}: ${sentenceOf(data, zone)}`}
    >
      {props.small !== true && (
        <div className={styles.tools}>
          <Button small kind="quiet" pressed={log} onPress={() => setLog(!log)}>
            Logarithmic
          </Button>
          <Button small kind="quiet" pressed={asTable} onPress={() => setAsTable(!asTable)}>
            Show as table
          </Button>
        </div>
      )}
      {/* The observed element stays while its content changes. */}
      <div className={styles.canvas} hidden={asTable}>
        <div ref={place} className={styles.drawn} />
        <span ref={spot} className={styles.spot} aria-hidden />
      </div>
      {asTable && <NumbersTable data={data} zone={zone} format={format ?? shortText} />}
      <div className={styles.foot}>
        <SeriesLegend
          names={names}
          colors={colors}
          choice={choice}
          onChoice={setChoice}
          earlier={earlier}
          statistics={statistics}
          format={format ?? shortText}
          onPoint={isOverTime ? props.onPoint : undefined}
        >
          {data.left > 0 && <li className={styles.left}>and {data.left} smaller series not shown</li>}
          {props.small !== true && cut !== undefined && (cut.first || cut.last) && (
            <li className={styles.left} title="Partial bucket: the time range covers only part of it">
              {kind === 'bar' || kind === 'scatter' ? 'pale' : 'dashed'}:{cut.last ? ' still ' : ' '}
              incomplete
            </li>
          )}
          {marks.length > 0 && (
            <li className="unseen">{marks.map(({ title, from }) => `${timeText(from, zone)}: ${title}`).join('; ')}</li>
          )}
        </SeriesLegend>
        {props.small === true && (
          // Over the chart its button would hide the newest values.
          <span className={styles.menu}>
            <MoreMenu small label={`Options: ${label}`} groups={[{ entries: options }]} />
          </span>
        )}
      </div>
    </figure>
  );
}

/** Times are in order. */
function nearestTime(times: readonly number[], at: number): number | undefined {
  const after = times.findIndex((time) => time >= at);
  if (after < 0) return times.at(-1);
  const before = times[after - 1];
  return before !== undefined && at - before < times[after]! - at ? before : times[after];
}

/** Click event of ECharts. */
interface ChartClick {
  readonly event?: MouseEvent;
  readonly offsetX: number;
  readonly offsetY: number;
}

const shortText = (value: number): string => numberText(value);

/** Without partial buckets, which would look like a drop. */
function wholeStatistics(data: Extract<DrawableSeries, { readonly kind: 'times' }>) {
  const cut = partialEdges(data);
  return data.series.map(({ values }) => statisticsOf(completeValues(values, cut)));
}

const noNames: ReadonlyMap<string, string> = new Map();
const noMarks: readonly ChartAnnotation[] = [];
const noLevels: readonly ChartLevel[] = [];

/** The first rows; the table view has all. */
const MAX_ROWS = 200;

function timesOf(data: Extract<DrawableSeries, { readonly kind: 'times' }>, zone: string): readonly string[] {
  const cut = partialEdges(data);
  return data.times.map(
    (each, at) => `${timeText(each, zone)}${isCut(cut, at, data.times.length) ? ' (incomplete)' : ''}`,
  );
}

function NumbersTable({
  data,
  zone,
  format,
}: {
  readonly data: DrawableSeries;
  readonly zone: string;
  readonly format: (value: number) => string;
}) {
  const labels = data.kind === 'times' ? timesOf(data, zone) : data.groups;
  return (
    <div className={styles.numbers}>
      <table>
        <thead>
          <tr>
            <th scope="col">{data.kind === 'times' ? 'Time' : 'Group'}</th>
            {data.series.map(({ name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {labels.slice(0, MAX_ROWS).map((label, row) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              {data.series.map(({ name, values }) => {
                const value = values[row] ?? undefined;
                return value === undefined ? (
                  <td key={name}>–</td>
                ) : (
                  <td key={name} title={exactText(value)}>
                    {format(value)}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
