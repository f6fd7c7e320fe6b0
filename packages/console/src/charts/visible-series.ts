import { cutEnds, partialEdges, isCut, NO_PARTIALS } from './partial-buckets.js';
import { isShown } from './series-choice.js';
import type { Picture } from './series-option.js';

/** Style of a bar or point in a partial bucket. */
const pale = { opacity: 0.45 };

/**
 * ECharts options of one series. Segments to partial buckets become a second, dashed series,
 * because a line has one style.
 */
export function drawnSeries(picture: Picture, index: number, color: string | undefined): readonly object[] {
  const { data, kind, stacked, nulls = 'gap', earlier, log, choice } = picture;
  const { name, values } = data.series[index]!;
  const isEarlier = earlier.has(name);
  const isLine = kind === 'line' || kind === 'area';
  const base = {
    name,
    type: kind === 'area' ? 'line' : kind,
    color: color,
    // A line of one point is invisible.
    showSymbol: kind === 'scatter' || values.filter((value) => value !== null).length < 3,
    barMaxWidth: 40,
    emphasis: { disabled: true },
  };
  const line = {
    ...base,
    ...(kind === 'area' && !isEarlier && { areaStyle: { opacity: 0.35 } }),
    ...(stacked && { stack: isEarlier ? 'earlier' : 'all' }),
    connectNulls: nulls === 'join',
    lineStyle: { width: 1.5, type: index >= 8 || isEarlier ? 'dashed' : 'solid' },
    sampling: 'lttb',
  };
  if (!isShown(choice, earlier.get(name) ?? name)) return [{ ...line, data: [] }];
  if (data.kind !== 'times') return [{ ...line, data: values }];

  const missing = nulls === 'zero' && !log ? 0 : null;
  const pointAt = (at: number) => [data.times[at], log && values[at] === 0 ? null : (values[at] ?? missing)];
  // Series of an earlier time are entirely dashed.
  const cut = isEarlier ? NO_PARTIALS : partialEdges(data);
  const drawn = values.map((_, at) => {
    if (!isCut(cut, at, values.length)) return pointAt(at);
    return isLine ? [data.times[at], null] : { value: pointAt(at), itemStyle: pale };
  });
  const ends = isLine ? cutEnds(values, cut, nulls === 'join') : [];
  if (ends.length === 0) return [{ ...line, data: drawn }];
  return [
    { ...line, data: drawn },
    {
      ...base,
      ...(kind === 'area' && { areaStyle: { opacity: 0.15 } }),
      ...(stacked && { stack: 'ends' }),
      lineStyle: { width: 1.5, type: 'dashed' },
      data: ends.map((at) => (at === undefined ? [data.times[0], null] : pointAt(at))),
    },
  ];
}
