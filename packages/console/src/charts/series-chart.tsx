import { useEffect, useMemo, useRef, useState } from 'react';
import { useShownTheme } from '../data/shown-theme.js';
import { zonedText } from '../data/time/zones.js';
import { coloursOf } from '../look/value-colours.js';
import { Button } from '../widgets/button.js';
import { cx } from '../widgets/class-names.js';
import { chartIn, connectCharts } from './echarts.js';
import type { SeriesData } from './series-data.js';
import styles from './series-chart.module.css';

type Drawn = Extract<SeriesData, { readonly kind: 'times' | 'groups' }>;

/** Something that happened, at a moment or for a while; milliseconds since the epoch. */
export interface ChartMark {
  readonly title: string;
  readonly from: number;
  readonly to?: number;
  readonly bad: boolean;
}

interface SeriesChartProps {
  readonly data: Drawn;
  readonly kind: 'line' | 'area' | 'bar' | 'scatter';
  readonly stacked: boolean;
  readonly zone: string;
  readonly label: string;
  /** Milliseconds of a range that somebody dragged over. */
  readonly onSelect: (start: number, end: number) => void;
  /** One of many on a page: as large as its place, with its buttons out of the way. */
  readonly small?: boolean;
  /** Whether it begins with a logarithmic scale. */
  readonly logarithmic?: boolean;
  /** What to draw where there is no value; a gap if left out. */
  readonly nulls?: 'gap' | 'join' | 'zero';
  /** Series of an earlier time, which are dashed. */
  readonly earlier?: ReadonlySet<string>;
  /** There are more series than those here, nobody knows how many. */
  readonly more?: boolean;
  /** What happened meanwhile. */
  readonly marks?: readonly ChartMark[];
  /** Charts with the same name share the line that follows the pointer. */
  readonly together?: string;
}

/** Lines, areas, bars or points; the same numbers as a table for those who cannot see them. */
export function SeriesChart(props: SeriesChartProps) {
  const { data, zone, label, onSelect } = props;
  const place = useRef<HTMLDivElement>(null);
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const [asTable, setAsTable] = useState(false);
  const [log, setLog] = useState(props.logarithmic ?? false);
  const theme = useShownTheme();
  const colours = useMemo(() => coloursOf(data.series.map(({ name }) => name)), [data]);
  const select = useRef(onSelect);
  select.current = onSelect;

  useEffect(() => {
    if (asTable || place.current === null) return undefined;
    const element = place.current;
    const style = getComputedStyle(document.documentElement);
    const colour = (text: string): string =>
      text.startsWith('var(') ? style.getPropertyValue(text.slice(4, -1)).trim() : text;
    const chart = chartIn(element);
    if (props.together !== undefined) {
      chart.group = props.together;
      connectCharts(props.together);
    }
    chart.setOption(optionOf(props, hidden, colours.map(colour), (name) => colour(`var(--${name})`), log));
    const resize = new ResizeObserver(() => chart.resize());
    resize.observe(element);
    if (data.kind === 'times') {
      chart.dispatchAction({
        type: 'takeGlobalCursor',
        key: 'brush',
        brushOption: { brushType: 'lineX', brushMode: 'single' },
      });
      chart.on('brushEnd', (event) => {
        const [start, end] = (event as { areas?: { coordRange?: [number, number] }[] }).areas?.[0]?.coordRange ?? [];
        if (start !== undefined && end !== undefined && end > start) select.current(start, end);
      });
    }
    return () => {
      resize.disconnect();
      chart.dispose();
    };
  }, [props, data, hidden, colours, log, asTable, theme]);

  return (
    <figure
      className={cx(styles.figure, props.small === true && styles.small)}
      aria-label={`${label}: ${sentenceOf(data, zone)}`}
    >
      <div className={styles.tools}>
        <Button small kind="quiet" pressed={log} onPress={() => setLog(!log)}>
          Logarithmic
        </Button>
        <Button small kind="quiet" pressed={asTable} onPress={() => setAsTable(!asTable)}>
          As a table
        </Button>
      </div>
      {asTable ? <NumbersTable data={data} zone={zone} /> : <div ref={place} className={styles.canvas} />}
      <ul className={styles.legend} aria-label="Series">
        {data.series.map(({ name }, index) => (
          <li key={name}>
            <button
              type="button"
              className={styles.entry}
              aria-pressed={!hidden.has(name)}
              onClick={() => {
                const next = new Set(hidden);
                if (!next.delete(name)) next.add(name);
                setHidden(next);
              }}
            >
              <span className={styles.swatch} style={{ background: colours[index] }} aria-hidden />
              {name}
            </button>
          </li>
        ))}
        {data.left > 0 && <li className={styles.left}>and {data.left} more, smaller ones</li>}
        {(props.marks ?? []).length > 0 && (
          <li className="unseen">
            {props.marks!.map(({ title, from }) => `${timeText(from, zone)}: ${title}`).join('; ')}
          </li>
        )}
        {props.more === true && <li className={styles.left}>these are the largest of many more</li>}
      </ul>
    </figure>
  );
}

const sentenceOf = (data: Drawn, zone: string): string =>
  data.kind === 'times'
    ? `${data.series.length} series over ${data.times.length} times from ${timeText(data.times[0] ?? 0, zone)} to ${timeText(data.times.at(-1) ?? 0, zone)}`
    : `${data.groups.length} groups`;

const timeText = (milliseconds: number, zone: string): string =>
  zonedText(BigInt(Math.round(milliseconds)) * 1_000_000n, zone, 0);

function optionOf(
  { data, kind, stacked, zone, nulls = 'gap', earlier, marks = [] }: SeriesChartProps,
  hidden: ReadonlySet<string>,
  colours: readonly string[],
  token: (name: string) => string,
  log: boolean,
) {
  const text = { color: token('text3'), fontFamily: 'Plex Sans', fontSize: 11 };
  const missing = nulls === 'zero' && !log ? 0 : null;
  const lines = { lineStyle: { color: token('line') } };
  return {
    animation: false,
    aria: { enabled: true },
    grid: { left: 8, right: 12, top: marks.length > 0 ? 22 : 12, bottom: 8, containLabel: true },
    // Its default writes markup, which no text of an event may become.
    tooltip: {
      trigger: 'axis',
      renderMode: 'richText',
      backgroundColor: token('bg2'),
      borderColor: token('line-strong'),
      textStyle: { ...text, color: token('text1') },
    },
    ...(data.kind === 'times' && {
      brush: { xAxisIndex: 0, toolbox: [], brushStyle: { color: token('bg3'), borderColor: token('accent') } },
    }),
    xAxis:
      data.kind === 'times'
        ? {
            type: 'time',
            axisLabel: { ...text, hideOverlap: true, formatter: (at: number) => timeText(at, zone).slice(11, 16) },
            axisLine: lines,
            splitLine: { show: false },
          }
        : {
            type: 'category',
            data: data.groups,
            axisLabel: { ...text, hideOverlap: true, width: 120, overflow: 'truncate' },
            axisLine: lines,
          },
    yAxis: { type: log ? 'log' : 'value', axisLabel: text, splitLine: lines },
    series: [
      ...(data.kind === 'times' ? marksOf(marks, text, token) : []),
      ...data.series.map(({ name, values }, index) => ({
        name,
        type: kind === 'area' ? 'line' : kind,
        ...(kind === 'area' && earlier?.has(name) !== true && { areaStyle: { opacity: 0.35 } }),
        ...(stacked && { stack: earlier?.has(name) === true ? 'earlier' : 'all' }),
        data: hidden.has(name)
          ? []
          : data.kind === 'times'
            ? values.map((value, at) => [data.times[at], log && value === 0 ? null : (value ?? missing)])
            : values,
        connectNulls: nulls === 'join',
        color: colours[index],
        // A line of one point would not be seen.
        showSymbol: kind === 'scatter' || values.filter((value) => value !== null).length < 3,
        lineStyle: { width: 1.5, type: index >= 8 || earlier?.has(name) === true ? 'dashed' : 'solid' },
        sampling: 'lttb',
        barMaxWidth: 40,
        emphasis: { disabled: true },
      })),
    ],
  };
}

/** A series without values, which has lines and bands over the others. */
function marksOf(marks: readonly ChartMark[], text: object, token: (name: string) => string) {
  if (marks.length === 0) return [];
  const colour = (mark: ChartMark): string => token(mark.bad ? 'red' : 'accent');
  const label = { ...text, show: true, position: 'end', distance: 2, width: 120, overflow: 'truncate' };
  return [
    {
      type: 'line',
      data: [],
      silent: true,
      markLine: {
        symbol: 'none',
        animation: false,
        data: marks.map((mark) => ({
          xAxis: mark.from,
          lineStyle: { color: colour(mark), type: 'dashed', width: 1 },
          label: { ...label, color: colour(mark), formatter: () => mark.title },
        })),
      },
      markArea: {
        data: marks.flatMap((mark) =>
          mark.to === undefined
            ? []
            : [[{ xAxis: mark.from, itemStyle: { color: colour(mark), opacity: 0.1 } }, { xAxis: mark.to }]],
        ),
      },
    },
  ];
}

/** The first so many; who needs more has the table view. */
const MOST_ROWS = 200;

function NumbersTable({ data, zone }: { readonly data: Drawn; readonly zone: string }) {
  const labels = data.kind === 'times' ? data.times.map((each) => timeText(each, zone)) : data.groups;
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
          {labels.slice(0, MOST_ROWS).map((label, row) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              {data.series.map(({ name, values }) => (
                <td key={name}>{values[row] ?? '–'}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
