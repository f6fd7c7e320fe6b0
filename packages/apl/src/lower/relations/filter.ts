import { and } from '@millrace/sql';
import type { Expr, Select, Source } from '@millrace/sql';

/**
 * Puts the conditions of a select where they cost least. By default the engine runs each condition
 * on a table as a separate step, cheapest column first, and reads the column of the next step only
 * where rows are left. That pays before a search in long strings. But comparisons cost less than a
 * step: three of them run a quarter faster together. So if all conditions of a select are
 * comparisons, they run in one step, before its other columns are read. Except for conditions on
 * only the time: the times of whole parts may decide them.
 */
export function filterOf(conditions: readonly Expr[], from: Source | undefined): Partial<Select> {
  if (conditions.length === 0) return {};
  const all = and(...conditions);
  if (from?.kind !== 'table' || !conditions.every(isComparison) || !readsField(all)) return { where: all };
  return { prewhere: all, settings: { enable_multiple_prewhere_read_steps: 0 } };
}

/** Whether an expression only compares columns with constants. */
const isComparison = (expr: Expr): boolean => {
  switch (expr.kind) {
    case 'column':
    case 'literal':
      return true;
    case 'call':
      return comparisons.has(expr.name) && expr.over === undefined && expr.args.every(isComparison);
    case 'lambda':
    case 'star':
    case 'scalarSubquery':
    case 'printed':
    case 'inSubquery':
      return false;
  }
};

const readsField = (expr: Expr): boolean =>
  expr.kind === 'column' ? expr.name !== '_time' : expr.kind === 'call' && expr.args.some(readsField);

const comparisons: ReadonlySet<string> = new Set([
  'and',
  'or',
  'not',
  'equals',
  'notEquals',
  'less',
  'lessOrEquals',
  'greater',
  'greaterOrEquals',
  'in',
  'notIn',
  'tuple',
  'isNull',
  'isNotNull',
  'ifNull',
  'toInt64',
  'fromUnixTimestamp64Nano',
]);
