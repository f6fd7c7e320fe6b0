import type { GroupFunction } from '../model/functions.js';
import { pickTags, tagsKey } from '../tags.js';
import { type Frame, type Grid, type Series, timesOf } from './series.js';

/** Combines the series with the same values of some tags, window by window. */
export function group(frame: Frame & { readonly grid: Grid }, by: readonly string[], fn: GroupFunction): Frame {
  const { grid } = frame;
  const times = timesOf(grid);
  const series = groupsBy(frame.series, by).map((members): Series => {
    const [first] = members;
    return {
      ...first!,
      tags: pickTags(first!.tags, by),
      type: common(members, ({ type }) => type),
      temporality: common(members, ({ temporality }) => temporality),
      times,
      values: combined(members, grid, fn),
    };
  });
  return { ...frame, series };
}

/** The series in groups with the same values of some tags. */
export function groupsBy(series: readonly Series[], by: readonly string[]): readonly (readonly Series[])[] {
  const groups = new Map<string, Series[]>();
  for (const each of series) {
    const key = tagsKey(pickTags(each.tags, by));
    const members = groups.get(key);
    if (members === undefined) groups.set(key, [each]);
    else members.push(each);
  }
  return [...groups.values()];
}

function common(members: readonly Series[], of: (series: Series) => string): string {
  const first = of(members[0]!);
  return members.every((each) => of(each) === first) ? first : '';
}

function combined(members: readonly Series[], { length }: Grid, fn: GroupFunction): Float64Array {
  const out = new Float64Array(length).fill(Number.NaN);
  const counts = new Float64Array(length);
  for (const { values } of members)
    for (let i = 0; i < length; i++) {
      const value = values[i]!;
      if (Number.isNaN(value)) continue;
      const before = out[i]!;
      out[i] =
        counts[i] === 0
          ? value
          : fn === 'min'
            ? Math.min(before, value)
            : fn === 'max'
              ? Math.max(before, value)
              : before + value;
      counts[i]!++;
    }
  if (fn === 'avg') return out.map((sum, i) => sum / counts[i]!);
  return fn === 'count' ? counts.map((count) => (count === 0 ? Number.NaN : count)) : out;
}
