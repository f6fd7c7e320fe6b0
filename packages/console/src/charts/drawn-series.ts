import { cutEnds, cutOf, isCut, whole } from './cut-buckets.js';
import { isShown } from './series-choice.js';
import type { Picture } from './series-option.js';

/** A bar or a point of a bucket that is not whole. */
const pale = { opacity: 0.45 };

/**
 * One series, as the library wants it described. A line has its ends that lead to buckets that are
 * not whole as another, dashed one, since the library draws a line in one style.
 */
export function drawnSeries(picture: Picture, index: number, colour: string | undefined): readonly object[] {
  const { data, kind, stacked, nulls = 'gap', earlier, log, choice } = picture;
  const { name, values } = data.series[index]!;
  const isEarlier = earlier.has(name);
  const isLine = kind === 'line' || kind === 'area';
  const base = {
    name,
    type: kind === 'area' ? 'line' : kind,
    color: colour,
    // A line of one point would not be seen.
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
  // What is of an earlier time is dashed as a whole.
  const cut = isEarlier ? whole : cutOf(data);
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
