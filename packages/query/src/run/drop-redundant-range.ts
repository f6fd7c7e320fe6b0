import { allTimes, type CompiledQuery, mappedQueries, type TimeRange } from '@millrace/apl';
import { and, type Expr, onTables } from '@millrace/sql';
import type { EventStorage } from '@millrace/storage/event-storage';
import { tableOf } from '@millrace/storage/tables/table-of-dataset';

/** A query without conditions on the time that hold for all events. */
interface ShorterQuery {
  readonly compiled: CompiledQuery;
  /**
   * Call it once the results have arrived: whether the conditions held throughout, including for
   * events that arrived during the query.
   */
  readonly holds: () => boolean;
}

/**
 * Drops the bounds of a range that contains all events of a dataset: comparing the time of each
 * event is half the cost of a simple filter, and without a condition a count needs no read. The
 * result may contain an event outside the range that arrives during the query; then the query must
 * be repeated unchanged.
 */
export async function dropRedundantRange(
  compiled: CompiledQuery,
  datasetIds: readonly number[],
  { termIndex }: Pick<EventStorage, 'termIndex'>,
): Promise<ShorterQuery> {
  const { start, end } = compiled.timeRange;
  const unchanged: ShorterQuery = { compiled, holds: () => true };
  const isBounded = start > allTimes.start || end < allTimes.end;
  if (termIndex === undefined || datasetIds.length === 0 || !isBounded) return unchanged;
  for (const id of datasetIds) await termIndex.learn(id);
  const range = { start, end };
  const holds = (): boolean => datasetIds.every((id) => termIndex.areWithin(id, range));
  if (!holds()) return unchanged;
  const cached = shorterQueries.get(compiled);
  const shorter = cached ?? dropBounds(compiled, new Set(datasetIds.map((id) => tableOf(id).table)));
  if (cached === undefined) shorterQueries.set(compiled, shorter);
  return { compiled: shorter, holds };
}

/** Compiled queries are cached and serve many requests. */
const shorterQueries = new WeakMap<CompiledQuery, CompiledQuery>();

const dropBounds = (compiled: CompiledQuery, tables: ReadonlySet<string>): CompiledQuery =>
  mappedQueries(compiled, (query) =>
    onTables(query, ({ name }, { where, prewhere, ...rest }) => {
      if (!tables.has(name)) return { ...rest, ...definedConditions({ where, prewhere }) };
      const remainingCondition = (all: Expr | undefined): Expr | undefined =>
        all && remainingConditions(all, compiled.timeRange);
      return {
        ...rest,
        ...definedConditions({ where: remainingCondition(where), prewhere: remainingCondition(prewhere) }),
      };
    }),
  );

const definedConditions = ({
  where,
  prewhere,
}: {
  readonly where: Expr | undefined;
  readonly prewhere: Expr | undefined;
}) => ({
  ...(where !== undefined && { where }),
  ...(prewhere !== undefined && { prewhere }),
});

/**
 * The condition without the parts that hold for all times in a range; undefined if nothing remains.
 */
function remainingConditions(condition: Expr, range: TimeRange): Expr | undefined {
  const conditions = listConditions(condition);
  const remaining = conditions.filter((one) => !isBound(one, range));
  if (remaining.length === conditions.length) return condition;
  return remaining.length === 0 ? undefined : and(...remaining);
}

const listConditions = (condition: Expr): readonly Expr[] =>
  condition.kind === 'call' && condition.name === 'and' ? condition.args.flatMap(listConditions) : [condition];

/** Whether the plan declares the condition as a bound that holds for all times in a range. */
function isBound(condition: Expr, { start, end }: TimeRange): boolean {
  if (condition.kind !== 'call' || condition.bound === undefined) return false;
  const { bound } = condition;
  return 'start' in bound ? bound.start <= start : bound.end >= end;
}
