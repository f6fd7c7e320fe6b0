import { allTimes, type Compiled, mappedQueries, type TimeRange } from '@millrace/apl';
import { and, type Expr, onTables } from '@millrace/sql';
import type { EventStorage } from '../../storage/event-storage.js';
import { tableOf } from '../../storage/tables/table-of-dataset.js';

/** A query without conditions on the time that hold for all events. */
interface WithoutRange {
  readonly compiled: Compiled;
  /**
   * To be asked when the answers are there: whether the conditions held all the time, for events
   * that came meanwhile too.
   */
  readonly holds: () => boolean;
}

/**
 * Leaves out the bounds of a range that all events of a dataset lie in: to compare the time of each
 * event is half of what a simple filter takes, and without a condition a count is known without
 * reading. An event outside the range that comes while the engine is asked may be in the answer;
 * then the query has to be asked as it is.
 */
export async function withoutRange(
  compiled: Compiled,
  datasetIds: readonly number[],
  { words }: Pick<EventStorage, 'words'>,
): Promise<WithoutRange> {
  const { start, end } = compiled.timeRange;
  const asItIs: WithoutRange = { compiled, holds: () => true };
  const isBounded = start > allTimes.start || end < allTimes.end;
  if (words === undefined || datasetIds.length === 0 || !isBounded) return asItIs;
  for (const id of datasetIds) await words.learn(id);
  const range = { start, end };
  const holds = (): boolean => datasetIds.every((id) => words.areWithin(id, range));
  if (!holds()) return asItIs;
  const known = without.get(compiled);
  const changed = known ?? changedIn(compiled, new Set(datasetIds.map((id) => tableOf(id).table)));
  if (known === undefined) without.set(compiled, changed);
  return { compiled: changed, holds };
}

/** Compiled queries are kept and serve many requests. */
const without = new WeakMap<Compiled, Compiled>();

const changedIn = (compiled: Compiled, tables: ReadonlySet<string>): Compiled =>
  mappedQueries(compiled, (query) =>
    onTables(query, ({ name }, { where, prewhere, ...rest }) => {
      if (!tables.has(name)) return { ...rest, ...given({ where, prewhere }) };
      const others = (all: Expr | undefined): Expr | undefined => all && withoutBounds(all, compiled.timeRange);
      return { ...rest, ...given({ where: others(where), prewhere: others(prewhere) }) };
    }),
  );

const given = ({ where, prewhere }: { readonly where: Expr | undefined; readonly prewhere: Expr | undefined }) => ({
  ...(where !== undefined && { where }),
  ...(prewhere !== undefined && { prewhere }),
});

/**
 * The conditions besides those that hold for all times in a range; undefined if there are no
 * others.
 */
function withoutBounds(condition: Expr, range: TimeRange): Expr | undefined {
  const all = conditionsIn(condition);
  const others = all.filter((one) => !isBound(one, range));
  if (others.length === all.length) return condition;
  return others.length === 0 ? undefined : and(...others);
}

const conditionsIn = (condition: Expr): readonly Expr[] =>
  condition.kind === 'call' && condition.name === 'and' ? condition.args.flatMap(conditionsIn) : [condition];

function isBound(condition: Expr, { start, end }: TimeRange): boolean {
  if (condition.kind !== 'call') return false;
  const [time, bound] = condition.args;
  const at = bound && instantIn(bound);
  if (time?.kind !== 'column' || time.name !== '_time' || at === undefined) return false;
  return condition.name === 'greaterOrEquals' ? at <= start : condition.name === 'lessOrEquals' && at >= end;
}

/**
 * The instant that an expression stands for, nanoseconds since the epoch: as the language writes
 * it.
 */
function instantIn(expr: Expr): bigint | undefined {
  const [inner] = expr.kind === 'call' && expr.name === 'fromUnixTimestamp64Nano' ? expr.args : [];
  const [number] = inner?.kind === 'call' && inner.name === 'toInt64' ? inner.args : [];
  return number?.kind === 'literal' && typeof number.value === 'bigint' ? number.value : undefined;
}
