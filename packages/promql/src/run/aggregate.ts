import type { Work } from '@millrace/mpl';
import { EvaluationProblem } from '../model/problems.js';
import { metricName, onlyLabels, type Labels, labelsKey, labelsOf, withoutLabels } from '../model/labels.js';
import type { Aggregation } from '../syntax/ast.js';
import { deviation, maxOf, mean, quantile, minOf, sum, variance } from './statistics.js';
import { checkSize, type GridSeries, groupBy, newSeries, samplesPerSeries } from './values.js';

/** Aggregations over the series of a vector. */

/** The argument before the vector. */
type Parameter = Float64Array | string | undefined;

interface Group {
  readonly labels: Labels;
  readonly members: readonly GridSeries[];
}

const statistics = {
  sum,
  avg: mean,
  min: minOf,
  max: maxOf,
  count: ({ length }) => length,
  group: () => 1,
  stddev: deviation,
  stdvar: variance,
} as const satisfies Readonly<Record<string, (values: Float64Array) => number>>;

export function* aggregate(
  { op, grouping }: Pick<Aggregation, 'op' | 'grouping'>,
  series: readonly GridSeries[],
  parameter: Parameter,
  length: number,
  work: Work,
): Generator<void, readonly GridSeries[]> {
  work.touch(samplesPerSeries * series.length);
  const names = new Set(grouping.labels);
  const dropped = new Set([...names, metricName]);
  const labeled = series.map((each) => ({
    each,
    labels: grouping.kind === 'by' ? onlyLabels(each.labels, names) : withoutLabels(each.labels, dropped),
  }));
  const groups = [...groupBy(labeled, ({ labels }) => labelsKey(labels)).values()].map((members) => ({
    labels: members[0]!.labels,
    members: members.map(({ each }) => each),
  }));
  checkSize(groups.length, length);
  switch (op) {
    case 'topk':
      return yield* rankGroups(groups, numbers(parameter), length, (a, b) => b - a, work);
    case 'bottomk':
      return yield* rankGroups(groups, numbers(parameter), length, (a, b) => a - b, work);
    case 'count_values':
      return yield* countValues(groups, String(parameter), length, work);
    case 'quantile': {
      const shares = numbers(parameter);
      return yield* combineGroups(groups, length, (values, i) => quantile(shares[i]!, values), work);
    }
    default:
      return yield* combineGroups(groups, length, statistics[op], work);
  }
}

const numbers = (parameter: Parameter): Float64Array =>
  parameter instanceof Float64Array ? parameter : new Float64Array();

/** One series per group, from the values of its members at each time. */
function* combineGroups(
  groups: readonly Group[],
  length: number,
  statistic: (values: Float64Array, i: number) => number,
  work: Work,
): Generator<void, readonly GridSeries[]> {
  const results: GridSeries[] = [];
  for (const { labels, members } of groups) {
    const result = newSeries(labels, length, work);
    const values = new Float64Array(members.length);
    for (let i = 0; i < length; i++) {
      let count = 0;
      for (const member of members) if (member.present[i] === 1) values[count++] = member.values[i]!;
      if (work.isDue(members.length)) yield;
      if (count === 0) continue;
      result.values[i] = statistic(values.subarray(0, count), i);
      result.present[i] = 1;
    }
    results.push(result);
  }
  return results;
}

/** The first series of each group in an order of their values, at each time; NaN comes last. */
function* rankGroups(
  groups: readonly Group[],
  counts: Float64Array,
  length: number,
  compare: (a: number, b: number) => number,
  work: Work,
): Generator<void, readonly GridSeries[]> {
  const results: GridSeries[] = [];
  for (const { members } of groups) {
    work.create('value', members.length * length);
    const kept = members.map((member) => ({ ...member, present: new Uint8Array(length) }));
    const order = kept.map((_, i) => i);
    for (let i = 0; i < length; i++) {
      const count = Math.trunc(counts[i]!);
      if (Number.isNaN(counts[i])) throw new EvaluationProblem('parameter value is NaN');
      const values = (at: number) => members[at]!.values[i]!;
      const present = order.filter((at) => members[at]!.present[i] === 1);
      const sorted =
        count < present.length ? present.toSorted((a, b) => inOrder(values(a), values(b), compare)) : present;
      for (const at of sorted.slice(0, Math.max(0, count))) kept[at]!.present[i] = 1;
      if (work.isDue(members.length)) yield;
    }
    results.push(...(length === 1 ? sortedByValue(kept, compare) : kept));
  }
  return results;
}

const inOrder = (a: number, b: number, compare: (a: number, b: number) => number): number =>
  Number.isNaN(a) || Number.isNaN(b) ? Number(Number.isNaN(a)) - Number(Number.isNaN(b)) : compare(a, b);

/** The series of an instant in the order of their values. */
export const sortedByValue = (
  series: readonly GridSeries[],
  compare: (a: number, b: number) => number,
): readonly GridSeries[] => series.toSorted((a, b) => inOrder(a.values[0]!, b.values[0]!, compare));

/** One series per group and value. */
function* countValues(
  groups: readonly Group[],
  label: string,
  length: number,
  work: Work,
): Generator<void, readonly GridSeries[]> {
  const results: GridSeries[] = [];
  for (const { labels, members } of groups) {
    const byValue = new Map<string, GridSeries>();
    for (const { values, present } of members)
      for (let i = 0; i < length; i++) {
        if (work.isDue(1)) yield;
        if (present[i] === 0) continue;
        const text = shownNumber(values[i]!);
        let counted = byValue.get(text);
        if (counted === undefined) {
          checkSize(results.length + byValue.size + 1, length);
          counted = newSeries(labelsOf([...labels, [label, text]]), length, work);
          byValue.set(text, counted);
        }
        counted.values[i]! += 1;
        counted.present[i] = 1;
      }
    results.push(...byValue.values());
  }
  return results;
}

/** A number as it is shown in results and labels. */
export const shownNumber = (value: number): string =>
  value === Infinity ? '+Inf' : value === -Infinity ? '-Inf' : Object.is(value, -0) ? '-0' : String(value);
