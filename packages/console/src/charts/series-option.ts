import { type PartialEdges, partialEdges, isCut } from './partial-buckets.js';
import { drawnSeries } from './visible-series.js';
import type { SeriesChoice } from './series-choice.js';
import type { SeriesData } from './series-data.js';
import { roundedText } from '../data/format-units.js';
import { withExact } from './exact-text.js';
import { visibleText } from '../data/results/visible-text.js';
import { axisText, clockText, timeText } from './time-labels.js';

export type DrawableSeries = Extract<SeriesData, { readonly kind: 'times' | 'groups' }>;

/** An event or period to mark; milliseconds since the epoch. */
export interface ChartAnnotation {
  readonly title: string;
  readonly from: number;
  readonly to?: number;
  readonly bad: boolean;
}

/** A threshold: a line, and a band on its side. */
export interface ChartLevel {
  readonly value: number;
  readonly bad: boolean;
  readonly side: 'above' | 'below' | 'none';
}

/** Input of a chart. */
export interface Picture {
  readonly data: DrawableSeries;
  readonly kind: 'line' | 'area' | 'bar' | 'scatter';
  readonly stacked: boolean;
  readonly zone: string;
  readonly nulls: 'gap' | 'join' | 'zero' | undefined;
  readonly earlier: ReadonlyMap<string, string>;
  readonly marks: readonly ChartAnnotation[];
  readonly levels: readonly ChartLevel[];
  readonly log: boolean;
  readonly choice: SeriesChoice;
  readonly format: ((value: number) => string) | undefined;
}

export const sentenceOf = (data: DrawableSeries, zone: string): string =>
  data.kind === 'times'
    ? `${data.series.length} series over ${data.times.length} times from ${timeText(data.times[0] ?? 0, zone)} to ${timeText(data.times.at(-1) ?? 0, zone)}${cutText(partialEdges(data))}`
    : `${data.groups.length} groups`;

const cutText = ({ first, last }: PartialEdges): string =>
  first && last
    ? '; first and last buckets are partial'
    : first
      ? '; first bucket is partial'
      : last
        ? '; last bucket is partial'
        : '';

/** ECharts options of a chart. */
export function optionOf(picture: Picture, colors: readonly string[], token: (name: string) => string) {
  const { data, zone, marks, levels, log, format } = picture;
  const text = { color: token('text3'), fontFamily: 'Plex Sans', fontSize: 11 };
  const lines = { lineStyle: { color: token('line') } };
  const span = spanOf(data);
  return {
    animation: false,
    // The default description lists all numbers.
    aria: { enabled: true, label: { description: sentenceOf(data, zone) } },
    grid: {
      left: 8,
      right: 12,
      top: marks.length > 0 || data.series.length === 1 ? 22 : 12,
      bottom: 8,
      containLabel: true,
    },
    // The default tooltip is HTML, which event data must not become.
    tooltip: {
      trigger: 'axis',
      renderMode: 'richText',
      backgroundColor: token('bg2'),
      borderColor: token('line-strong'),
      textStyle: { ...text, color: token('text1') },
      confine: true,
      formatter: (points: readonly TipPoint[]) => tipOf(points, data, zone, format),
    },
    ...(data.kind === 'times' && {
      brush: { xAxisIndex: 0, toolbox: [], brushStyle: { color: token('bg3'), borderColor: token('accent') } },
    }),
    xAxis:
      data.kind === 'times'
        ? {
            type: 'time',
            ...span,
            axisLabel: {
              ...text,
              hideOverlap: true,
              formatter: (at: number) => axisText(at, zone, (span.max ?? 0) - (span.min ?? 0)),
            },
            axisLine: lines,
            splitLine: { show: false },
          }
        : {
            type: 'category',
            data: data.groups.map(visibleText),
            axisLabel: { ...text, hideOverlap: true, width: 120, overflow: 'truncate' },
            axisLine: lines,
          },
    yAxis: {
      type: log ? 'log' : 'value',
      ...nameOfAxis(data, text),
      ...(levels.length > 0 && { max: ({ max }: { readonly max: number }) => roomFor(levels, max) }),
      axisLabel: { ...text, hideOverlap: true, ...(format !== undefined && { formatter: format }) },
      splitLine: lines,
    },
    series: [
      ...(data.kind === 'times' ? marksOf(marks, span, text, token) : []),
      ...levelsOf(picture, text, token),
      ...data.series.flatMap((_, index) => drawnSeries(picture, index, colors[index])),
    ],
  };
}

interface Span {
  readonly min?: number;
  readonly max?: number;
}

/** Several series have a legend; the name of a single one labels the axis. */
function nameOfAxis({ series }: DrawableSeries, text: object) {
  const [only, second] = series;
  if (only === undefined || only.name === '' || second !== undefined) return {};
  return { name: plain(only.name), nameLocation: 'end', nameGap: 6, nameTextStyle: { ...text, align: 'left' } };
}

/** The whole requested range, also without data. */
function spanOf(data: DrawableSeries): Span {
  if (data.kind !== 'times') return {};
  const { from = Infinity, to = -Infinity } = data.range ?? {};
  return { min: Math.min(from, data.times[0] ?? Infinity), max: Math.max(to, data.times.at(-1) ?? -Infinity) };
}

/** Tooltip data of ECharts. */
interface TipPoint {
  readonly seriesName?: string;
  readonly marker?: string;
  readonly value: unknown;
  readonly dataIndex: number;
}

/** Longer tooltips are unreadable. */
const MAX_TIPS = 12;
const TIP_LETTERS = 48;

/** Time or group, and the largest numbers. */
function tipOf(points: readonly TipPoint[], data: DrawableSeries, zone: string, format: Picture['format']): string {
  const found = points
    .map(({ seriesName = '', marker = '', value, dataIndex }) => {
      const [at, number] = Array.isArray(value) ? (value as readonly unknown[]) : [dataIndex, value];
      return { seriesName, marker, at, number };
    })
    .filter((point): point is typeof point & { readonly number: number } => typeof point.number === 'number')
    // The solid and the dashed part of a line share a point.
    .filter(({ seriesName }, index, all) => all.findIndex((each) => each.seriesName === seriesName) === index)
    .toSorted((a, b) => b.number - a.number);
  const at = points[0] === undefined ? undefined : (found[0]?.at ?? points[0].dataIndex);
  const head = data.kind === 'times' ? bucketText(data, Number(at), zone) : (data.groups[Number(at)] ?? '');
  const lines = found
    .slice(0, MAX_TIPS)
    .map(({ marker, seriesName, number }) => `${marker}${plain(seriesName)}  ${withExact(number, format)}`);
  const more = found.length > MAX_TIPS ? [`and ${found.length - MAX_TIPS} smaller series`] : [];
  return [plain(head), ...lines, ...more].join('\n');
}

/** Time of a bucket, and for a partial one the requested part. */
function bucketText(data: Extract<DrawableSeries, { readonly kind: 'times' }>, at: number, zone: string): string {
  const text = timeText(at, zone);
  const { times, step = 0, asked } = data;
  if (asked === undefined || !isCut(partialEdges(data), times.indexOf(at), times.length)) return text;
  const parts = [
    ...(at < asked.from ? [`from ${clockText(asked.from, zone)}`] : []),
    ...(at + step > asked.to ? [`until ${clockText(asked.to, zone)}`] : []),
  ];
  return `${text} (partial: ${parts.join(' ')})`;
}

/** ECharts reads braces as styles. */
const plain = (text: string): string => {
  const visible = visibleText(text);
  const shown = visible.length > TIP_LETTERS ? `${visible.slice(0, TIP_LETTERS)}…` : visible;
  return shown.replaceAll('{', '{\u200b');
};

/** Fraction of the axis that a label takes. */
const NAME_SHARE = 0.14;

/** Marks whose labels do not overlap the previous one. */
function namedMarks(marks: readonly ChartAnnotation[], span: number): ReadonlySet<ChartAnnotation> {
  let last = -Infinity;
  const named = new Set<ChartAnnotation>();
  for (const mark of marks.toSorted((a, b) => a.from - b.from)) {
    if (mark.from - last < span * NAME_SHARE) continue;
    named.add(mark);
    last = mark.from;
  }
  return named;
}

/** Label position: next to its line at the edges, otherwise above it. */
function alignOf({ from }: ChartAnnotation, { min = 0, max = 0 }: Span): 'left' | 'center' | 'right' {
  const at = (from - min) / (max - min || 1);
  return at < NAME_SHARE / 2 ? 'left' : at > 1 - NAME_SHARE / 2 ? 'right' : 'center';
}

/** A series without values that carries lines and bands on top of the others. */
function marksOf(marks: readonly ChartAnnotation[], span: Span, text: object, token: (name: string) => string) {
  if (marks.length === 0) return [];
  const named = namedMarks(marks, (span.max ?? 0) - (span.min ?? 0));
  const color = (mark: ChartAnnotation): string => token(mark.bad ? 'red' : 'accent');
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
          lineStyle: { color: color(mark), type: 'dashed', width: 1 },
          label: {
            ...label,
            show: named.has(mark),
            align: alignOf(mark, span),
            color: color(mark),
            formatter: () => mark.title,
          },
        })),
      },
      markArea: {
        data: marks.flatMap((mark) =>
          mark.to === undefined
            ? []
            : [[{ xAxis: mark.from, itemStyle: { color: color(mark), opacity: 0.1 } }, { xAxis: mark.to }]],
        ),
      },
    },
  ];
}

/** Ends of an axis that its ticks meet, below ten. */
const ROUND = [1, 2, 3, 4, 5, 6, 8];

/** A threshold above all values is still visible. Undefined leaves the axis as it is. */
function roomFor(levels: readonly ChartLevel[], max: number): number | undefined {
  const highest = Math.max(...levels.map(({ value }) => value));
  if (highest <= max || highest <= 0) return undefined;
  const power = 10 ** Math.floor(Math.log10(highest * 1.05));
  return power * (ROUND.find((each) => each * power >= highest * 1.05) ?? 10);
}

/** A series without values that carries thresholds. */
function levelsOf({ levels, format }: Picture, text: object, token: (name: string) => string) {
  if (levels.length === 0) return [];
  const color = ({ bad }: ChartLevel): string => token(bad ? 'red' : 'amber');
  return [
    {
      type: 'line',
      data: [],
      silent: true,
      markLine: {
        symbol: 'none',
        animation: false,
        data: levels.map((level) => ({
          yAxis: level.value,
          lineStyle: { color: color(level), type: 'dashed', width: 1 },
          label: {
            ...text,
            position: 'insideEndTop',
            color: color(level),
            formatter: () => format?.(level.value) ?? roundedText(level.value),
          },
        })),
      },
      markArea: {
        data: levels.flatMap((level): readonly (readonly object[])[] => {
          const itemStyle = { color: color(level), opacity: 0.08 };
          if (level.side === 'none') return [];
          // An end without a position is the end of the axis.
          const edge = { yAxis: level.value };
          return [level.side === 'above' ? [{ ...edge, itemStyle }, {}] : [{ itemStyle }, edge]];
        }),
      },
    },
  ];
}
