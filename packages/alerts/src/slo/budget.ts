import type { SloBudget } from '@millrace/api/schemas/slo';
import type { ResultTable } from '../evaluate/result-table.js';

/** The error budget of an objective, from its counted events. */

interface Step {
  readonly time: string;
  readonly good: number;
  readonly total: number;
}

/** Steps of the window, oldest first. */
export function stepsIn({ columns, rows }: ResultTable): readonly Step[] {
  const column = (name: string): readonly unknown[] => columns.find((each) => each.name === name)?.values ?? [];
  const [times, good, total] = [column('_time'), column('good'), column('total')];
  return Array.from({ length: rows }, (_, row) => ({
    time: String(times[row]),
    good: Number(good[row] ?? 0),
    total: Number(total[row] ?? 0),
  })).toSorted((a, b) => Date.parse(a.time) - Date.parse(b.time));
}

/** @param allowed part of the events that may be bad */
export function budgetOf(
  steps: readonly Step[],
  allowed: number,
): Pick<SloBudget, 'good' | 'total' | 'attained' | 'remaining' | 'points'> {
  const good = steps.reduce((sum, step) => sum + step.good, 0);
  const total = steps.reduce((sum, step) => sum + step.total, 0);
  // Of the whole window, so the line falls to the present rest.
  const budget = total * allowed;
  let bad = 0;
  const points = steps.map((step) => {
    bad += step.total - step.good;
    return { ...step, remaining: roundPercent(budget === 0 ? 1 : 1 - bad / budget) };
  });
  return {
    good,
    total,
    ...(total > 0 && { attained: roundPercent((good / total) * 100) }),
    remaining: points.at(-1)?.remaining ?? 1,
    points,
  };
}

/** Six digits: more are noise of the arithmetic. */
const roundPercent = (value: number): number => Number(value.toFixed(6));
