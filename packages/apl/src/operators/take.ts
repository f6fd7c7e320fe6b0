import type { AggregatePlan, Plan } from '../plan/nodes.js';
import { bucketGroup } from '../plan/bucket-group.js';
import type { BindOperator } from './define.js';
import { rowCount } from './grouping/row-count.js';

/**
 * `take N`: the first N rows. Right after a time series whose first group is the time bin and which
 * aggregates: all buckets of the N greatest series.
 */
export const bindTake: BindOperator<'take'> = (operator, input, context) => {
  if (operator.count === undefined) return input;
  const count = rowCount(operator.count, 'take', context);
  if (count === undefined) return input;
  const series = seriesOf(input);
  const kind =
    series !== undefined && series.groups.length > 1 && series.groups[0]?.id === bucketGroup(series)
      ? 'topSeries'
      : 'limit';
  return { kind, schema: input.schema, input, count };
};

/**
 * The aggregation of the `summarize` directly before; without aggregates there is nothing that one
 * series could have more of.
 */
function seriesOf(plan: Plan): AggregatePlan | undefined {
  if (plan.kind !== 'sort' || plan.implicit !== true || plan.input.kind !== 'project') return undefined;
  const { input } = plan.input;
  return input.kind === 'aggregate' && input.aggregates.length > 0 ? input : undefined;
}
