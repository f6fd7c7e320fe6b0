import type { Work } from '@millrace/mpl';
import { EvaluationProblem } from '../model/problems.js';
import {
  type Labels,
  labelsKey,
  labelsOf,
  metricName,
  onlyLabels,
  shownLabels,
  withoutLabels,
  withoutName,
} from '../model/labels.js';
import type { SetOperator, ValueOperator } from '../model/operators.js';
import type { VectorMatching } from '../syntax/ast.js';
import { isFilter } from './binary.js';
import { calculate } from './calculate.js';
import { checkSize, type GridSeries, groupBy, joinSeries, newSeries, overlapOf, samplesPerSeries } from './values.js';

/** Operators between two vectors: series match that agree in the labels of the matching. */

/** The labels in which series must agree. */
function signature(labels: Labels, { kind, labels: names }: VectorMatching): Labels {
  return kind === 'on' ? onlyLabels(labels, new Set(names)) : withoutLabels(labels, new Set([...names, metricName]));
}

const bySignature = (
  series: readonly GridSeries[],
  matching: VectorMatching,
): ReadonlyMap<string, readonly GridSeries[]> =>
  groupBy(series, ({ labels }) => labelsKey(signature(labels, matching)));

const noManyToMany = 'many-to-many matching not allowed: matching labels must be unique on one side';

/** @throws EvaluationProblem when a side has several series where one is allowed */
export function* matchValues(
  operation: { readonly op: ValueOperator; readonly bool: boolean; readonly matching: VectorMatching },
  left: readonly GridSeries[],
  right: readonly GridSeries[],
  work: Work,
): Generator<void, readonly GridSeries[]> {
  const { matching } = operation;
  work.touch(samplesPerSeries * (left.length + right.length));
  const swapped = matching.many === 'right';
  const [many, one] = swapped ? [right, left] : [left, right];
  if (many.length === 0 || one.length === 0) return [];
  const ones = bySignature(one, matching);
  for (const group of ones.values()) requireUnique(group, matching, swapped ? 'left' : 'right');
  const results: GridSeries[] = [];
  for (const [key, members] of bySignature(many, matching)) {
    const matches: GridSeries[] = [];
    for (const member of members)
      for (const other of ones.get(key) ?? []) {
        checkSize(results.length + matches.length + 1, member.values.length);
        matches.push(calculateSeries(operation, member, other, swapped, work));
        if (work.isDue(member.values.length)) yield;
      }
    if (matching.many === undefined && overlapOf(matches) >= 0)
      throw new EvaluationProblem(
        'multiple matches for labels: many-to-one matching must be explicit (group_left/group_right)',
      );
    results.push(...matches);
  }
  return joinSeries(results, work, 'multiple matches for labels: grouping labels must ensure unique matches');
}

function requireUnique(group: readonly GridSeries[], matching: VectorMatching, side: 'left' | 'right'): void {
  if (overlapOf(group) < 0) return;
  const [first, second] = group.map(({ labels }) => shownLabels(labels));
  const match = shownLabels(signature(group[0]!.labels, matching)) || '{}';
  throw new EvaluationProblem(
    `found duplicate series for the match group ${match} on the ${side} hand-side of the operation: [${first}, ${second}];${noManyToMany}`,
  );
}

function calculateSeries(
  operation: { readonly op: ValueOperator; readonly bool: boolean; readonly matching: VectorMatching },
  many: GridSeries,
  one: GridSeries,
  swapped: boolean,
  work: Work,
): GridSeries {
  const filters = isFilter(operation);
  const fn = calculate[operation.op];
  const result = newSeries(
    resultLabels(many.labels, one.labels, operation.matching, filters),
    many.values.length,
    work,
  );
  const [left, right] = swapped ? [one, many] : [many, one];
  for (let i = 0; i < result.present.length; i++) {
    if (many.present[i] === 0 || one.present[i] === 0) continue;
    const value = fn(left.values[i]!, right.values[i]!);
    if (filters && value === 0) continue;
    result.values[i] = filters ? left.values[i]! : value;
    result.present[i] = 1;
  }
  return result;
}

function resultLabels(many: Labels, one: Labels, matching: VectorMatching, keepsName: boolean): Labels {
  const { kind, labels, many: manySide, include } = matching;
  const named = keepsName ? many : withoutName(many);
  if (manySide !== undefined)
    return labelsOf([...named, ...include.map((name): [string, string] => [name, one.get(name) ?? ''])]);
  const names = new Set(labels);
  return kind === 'on' ? onlyLabels(named, names) : withoutLabels(named, names);
}

/** `and`, `or` and `unless`: whole values of either side. */
export function* matchSets(
  op: SetOperator,
  matching: VectorMatching,
  left: readonly GridSeries[],
  right: readonly GridSeries[],
  work: Work,
): Generator<void, readonly GridSeries[]> {
  work.touch(samplesPerSeries * (left.length + right.length));
  const others = bySignature(op === 'or' ? left : right, matching);
  const masks = new Map<string, Uint8Array>();
  for (const [key, group] of others) {
    masks.set(key, anyPresent(group));
    if (work.isDue(group.length * group[0]!.present.length)) yield;
  }
  const results: GridSeries[] = [];
  for (const series of op === 'or' ? right : left) {
    const mask = masks.get(labelsKey(signature(series.labels, matching)));
    // Where the other side has a match, `and` keeps values, the others drop them.
    const wanted = op === 'and' ? 1 : 0;
    work.create('value', series.present.length);
    results.push({ ...series, present: series.present.map((has, i) => has & Number((mask?.[i] ?? 0) === wanted)) });
    if (work.isDue(series.present.length)) yield;
  }
  return op === 'or' ? joinSeries([...left, ...results], work) : results;
}

function anyPresent(series: readonly GridSeries[]): Uint8Array {
  const mask = new Uint8Array(series[0]!.present.length);
  for (const { present } of series) for (let i = 0; i < mask.length; i++) mask[i]! |= present[i]!;
  return mask;
}
