import type { GroupFunction } from '../model/functions.js';
import type { Work } from '../model/work.js';
import { pickTags, tagsKey } from '../tags.js';
import { type Frame, type Grid, type Series, samplesPerSeries, type Steps, timesOf } from './series.js';

/** Combines the series with the same values of some tags, window by window. */
export function* group(
  frame: Frame & { readonly grid: Grid },
  by: readonly string[],
  fn: GroupFunction,
  work: Work,
): Steps<Frame> {
  const { grid } = frame;
  const times = timesOf(grid);
  const series: Series[] = [];
  for (const members of yield* groupsBy(frame.series, by, work)) {
    const [first] = members;
    work.create('value', grid.length);
    series.push({
      ...first!,
      tags: pickTags(first!.tags, by),
      type: common(members, ({ type }) => type),
      temporality: common(members, ({ temporality }) => temporality),
      times,
      values: yield* combineMembers(members, grid, fn, work),
    });
  }
  return { ...frame, series };
}

/** The series in groups with the same values of some tags. */
export function* groupsBy(
  series: readonly Series[],
  by: readonly string[],
  work: Work,
): Steps<readonly (readonly Series[])[]> {
  const groups = new Map<string, Series[]>();
  for (const each of series) {
    const key = tagsKey(pickTags(each.tags, by));
    const members = groups.get(key);
    if (members === undefined) groups.set(key, [each]);
    else members.push(each);
    if (work.isDue(samplesPerSeries)) yield;
  }
  return [...groups.values()];
}

function common(members: readonly Series[], of: (series: Series) => string): string {
  const first = of(members[0]!);
  return members.every((each) => of(each) === first) ? first : '';
}

function* combineMembers(
  members: readonly Series[],
  { length }: Grid,
  fn: GroupFunction,
  work: Work,
): Steps<Float64Array> {
  const out = new Float64Array(length).fill(Number.NaN);
  const counts = new Float64Array(length);
  for (const { values } of members) {
    add(values, out, counts, fn);
    if (work.isDue(length)) yield;
  }
  if (fn === 'avg') return out.map((sum, i) => sum / counts[i]!);
  return fn === 'count' ? counts.map((count) => (count === 0 ? Number.NaN : count)) : out;
}

/** Adds the values of a series to those of its group. */
function add(values: Float64Array, out: Float64Array, counts: Float64Array, fn: GroupFunction): void {
  for (let i = 0; i < out.length; i++) {
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
}
