import { type Cut, cutOf, isCut } from './cut-buckets.js';
import { drawnSeries } from './drawn-series.js';
import type { SeriesChoice } from './series-choice.js';
import type { SeriesData } from './series-data.js';
import { axisText, clockText, timeText } from './time-labels.js';

export type Drawn = Extract<SeriesData, { readonly kind: 'times' | 'groups' }>;

/** Something that happened, at a moment or for a while; milliseconds since the epoch. */
export interface ChartMark {
  readonly title: string;
  readonly from: number;
  readonly to?: number;
  readonly bad: boolean;
}

/** All that a picture is made of. */
export interface Picture {
  readonly data: Drawn;
  readonly kind: 'line' | 'area' | 'bar' | 'scatter';
  readonly stacked: boolean;
  readonly zone: string;
  readonly nulls: 'gap' | 'join' | 'zero' | undefined;
  readonly earlier: ReadonlyMap<string, string>;
  readonly marks: readonly ChartMark[];
  readonly log: boolean;
  readonly choice: SeriesChoice;
  readonly format: ((value: number) => string) | undefined;
}

export const sentenceOf = (data: Drawn, zone: string): string =>
  data.kind === 'times'
    ? `${data.series.length} series over ${data.times.length} times from ${timeText(data.times[0] ?? 0, zone)} to ${timeText(data.times.at(-1) ?? 0, zone)}${cutText(cutOf(data))}`
    : `${data.groups.length} groups`;

const cutText = ({ first, last }: Cut): string =>
  first && last
    ? '; the first and the last are not whole'
    : first
      ? '; the first is not whole'
      : last
        ? '; the last is not whole'
        : '';

/** The picture, as the library wants it described. */
export function optionOf(picture: Picture, colours: readonly string[], token: (name: string) => string) {
  const { data, zone, marks, log, format } = picture;
  const text = { color: token('text3'), fontFamily: 'Plex Sans', fontSize: 11 };
  const lines = { lineStyle: { color: token('line') } };
  const span = spanOf(data);
  return {
    animation: false,
    // Its own words would be all numbers one after the other.
    aria: { enabled: true, label: { description: sentenceOf(data, zone) } },
    grid: { left: 8, right: 12, top: marks.length > 0 ? 22 : 12, bottom: 8, containLabel: true },
    // Its default writes markup, which no text of an event may become.
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
            data: data.groups,
            axisLabel: { ...text, hideOverlap: true, width: 120, overflow: 'truncate' },
            axisLine: lines,
          },
    yAxis: {
      type: log ? 'log' : 'value',
      axisLabel: { ...text, hideOverlap: true, ...(format !== undefined && { formatter: format }) },
      splitLine: lines,
    },
    series: [
      ...(data.kind === 'times' ? marksOf(marks, span, text, token) : []),
      ...data.series.flatMap((_, index) => drawnSeries(picture, index, colours[index])),
    ],
  };
}

interface Span {
  readonly min?: number;
  readonly max?: number;
}

/** All of the time that was asked for, also where nothing happened. */
function spanOf(data: Drawn): Span {
  if (data.kind !== 'times') return {};
  const { from = Infinity, to = -Infinity } = data.range ?? {};
  return { min: Math.min(from, data.times[0] ?? Infinity), max: Math.max(to, data.times.at(-1) ?? -Infinity) };
}

/** What the library says of a series at the place that is pointed at. */
interface TipPoint {
  readonly seriesName?: string;
  readonly marker?: string;
  readonly value: unknown;
  readonly dataIndex: number;
}

/** Of more than so many nobody reads the numbers. */
const MOST_TIPS = 12;
const TIP_LETTERS = 48;

/** The time or the group, and the largest numbers there. */
function tipOf(points: readonly TipPoint[], data: Drawn, zone: string, format: Picture['format']): string {
  const found = points
    .map(({ seriesName = '', marker = '', value, dataIndex }) => {
      const [at, number] = Array.isArray(value) ? (value as readonly unknown[]) : [dataIndex, value];
      return { seriesName, marker, at, number };
    })
    .filter((point): point is typeof point & { readonly number: number } => typeof point.number === 'number')
    // Where the dashed end of a line begins, both have the number.
    .filter(({ seriesName }, index, all) => all.findIndex((each) => each.seriesName === seriesName) === index)
    .toSorted((a, b) => b.number - a.number);
  const at = points[0] === undefined ? undefined : (found[0]?.at ?? points[0].dataIndex);
  const head = data.kind === 'times' ? bucketText(data, Number(at), zone) : (data.groups[Number(at)] ?? '');
  const lines = found
    .slice(0, MOST_TIPS)
    .map(
      ({ marker, seriesName, number }) =>
        `${marker}${plain(seriesName)}  ${format?.(number) ?? number.toLocaleString('en')}`,
    );
  const more = found.length > MOST_TIPS ? [`and ${found.length - MOST_TIPS} more, smaller ones`] : [];
  return [plain(head), ...lines, ...more].join('\n');
}

/** The time of a bucket, and from when to when it was asked for, if not as a whole. */
function bucketText(data: Extract<Drawn, { readonly kind: 'times' }>, at: number, zone: string): string {
  const text = timeText(at, zone);
  const { times, step = 0, asked } = data;
  if (asked === undefined || !isCut(cutOf(data), times.indexOf(at), times.length)) return text;
  const parts = [
    ...(at < asked.from ? [`from ${clockText(asked.from, zone)}`] : []),
    ...(at + step > asked.to ? [`until ${clockText(asked.to, zone)}`] : []),
  ];
  return `${text} (not whole: ${parts.join(' ')})`;
}

/** Braces would be styles of the library. */
const plain = (text: string): string => {
  const shown = text.length > TIP_LETTERS ? `${text.slice(0, TIP_LETTERS)}…` : text;
  return shown.replaceAll('{', '{\u200b');
};

/** The part of an axis that the name of a mark takes. */
const NAME_SHARE = 0.14;

/** Marks whose names do not stand on that of the one before. */
function namedMarks(marks: readonly ChartMark[], span: number): ReadonlySet<ChartMark> {
  let last = -Infinity;
  const named = new Set<ChartMark>();
  for (const mark of marks.toSorted((a, b) => a.from - b.from)) {
    if (mark.from - last < span * NAME_SHARE) continue;
    named.add(mark);
    last = mark.from;
  }
  return named;
}

/** Where the name of a mark stands: at the edges of the picture beside its line, else over it. */
function alignOf({ from }: ChartMark, { min = 0, max = 0 }: Span): 'left' | 'center' | 'right' {
  const at = (from - min) / (max - min || 1);
  return at < NAME_SHARE / 2 ? 'left' : at > 1 - NAME_SHARE / 2 ? 'right' : 'center';
}

/** A series without values, which has lines and bands over the others. */
function marksOf(marks: readonly ChartMark[], span: Span, text: object, token: (name: string) => string) {
  if (marks.length === 0) return [];
  const named = namedMarks(marks, (span.max ?? 0) - (span.min ?? 0));
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
          label: {
            ...label,
            show: named.has(mark),
            align: alignOf(mark, span),
            color: colour(mark),
            formatter: () => mark.title,
          },
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
