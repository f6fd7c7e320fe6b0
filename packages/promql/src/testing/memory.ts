import { unlimitedWork } from '@millrace/mpl';
import { compile } from '../compile.js';
import { type Labels, labelsOf, shownLabels } from '../model/labels.js';
import { readsOf, type SelectorRead } from '../plan/reads.js';
import { type Grid, lastOf } from '../plan/grid.js';
import { shownNumber } from '../run/aggregate.js';
import { evaluate } from '../run/evaluate.js';
import { scopeOf } from '../run/scope.js';
import type { GridSeries, PointSeries, Value } from '../run/values.js';
import { matchesWhole } from '../syntax/regex.js';
import type { Matcher } from '../syntax/ast.js';

/** Evaluates queries over series in memory, read as the engine would. */

const minute = 60_000;

/** A value that ends a series. */
export const end = Symbol('end');

export function seriesOf(
  labels: Readonly<Record<string, string>>,
  points: readonly (readonly [number, number | typeof end])[],
) {
  return {
    labels: labelsOf(Object.entries(labels)),
    times: Float64Array.from(points, ([time]) => time),
    values: Float64Array.from(points, ([, value]) => (value === end ? Number.NaN : value)),
    ends: Uint8Array.from(points, ([, value]) => Number(value === end)),
  } satisfies PointSeries;
}

function accepts(labels: Labels, { label, op, value }: Matcher): boolean {
  const text = labels.get(label) ?? '';
  switch (op) {
    case '=':
      return text === value;
    case '!=':
      return text !== value;
    case '=~':
      return matchesWhole(value, text);
    case '!~':
      return !matchesWhole(value, text);
  }
}

/** The points that a selector reads: of those before each time it needs, only the last. */
function read({ selector, range, latest }: SelectorRead, all: readonly PointSeries[]): readonly PointSeries[] {
  return all
    .filter(({ labels }) => selector.matchers.every((matcher) => accepts(labels, matcher)))
    .map(({ labels, times, values, ends }) => {
      const kept = new Map<number, number>();
      for (const [i, time] of times.entries()) {
        if (time <= range.start || time > range.end) continue;
        kept.set(latest === undefined ? i : Math.max(0, Math.ceil((time - latest.start) / latest.step)), i);
      }
      const order = [...kept.values()];
      return {
        labels,
        times: Float64Array.from(order, (i) => times[i]!),
        values: Float64Array.from(order, (i) => values[i]!),
        ...(ends !== undefined && { ends: Uint8Array.from(order, (i) => ends[i]!) }),
      };
    })
    .filter(({ times }) => times.length > 0);
}

export function ask(text: string, all: readonly PointSeries[], grid: Grid, work = unlimitedWork()): Value {
  const { expr } = compile(text);
  const query = { start: grid.start, end: lastOf(grid), lookback: 5 * minute, subqueryStep: minute };
  const points = new Map(readsOf(expr, grid, query).map((each) => [each.selector, read(each, all)]));
  const steps = evaluate(expr, scopeOf(grid, { query, points, work }));
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

const formatRounded = (value: number): string =>
  shownNumber(Number.isFinite(value) ? Number(value.toPrecision(10)) : value);

/** A line per series, with its values at all times. */
export function linesOf(value: Value): readonly string[] {
  const line = ({ labels, values, present }: Pick<GridSeries, 'labels' | 'values' | 'present'>): string => {
    const numbers = [...values].map((number, i) => (present[i] === 1 ? formatRounded(number) : '_'));
    return `${shownLabels(labels)} ${numbers.join(' ')}`;
  };
  switch (value.kind) {
    case 'vector':
      return value.series.map(line);
    case 'scalar':
      return [[...value.values].map(formatRounded).join(' ')];
    case 'string':
      return [value.value];
    case 'matrix':
      return value.series.map(
        ({ labels, values }) => `${shownLabels(labels)} ${[...values].map(formatRounded).join(' ')}`,
      );
  }
}
