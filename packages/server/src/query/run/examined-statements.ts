import { call, column, type Expr, integer, item, printQuery, type Query, select, type Select } from '@millrace/sql';

/** What is asked to say how many events are in the range of a query, and when they came. */
export interface ExaminedStatements {
  /** How many events the datasets have, whenever they came, and the times of the oldest and the newest: the engine knows this of every part. */
  readonly all: string;
  /** How many are in the range; absent if that is all of them. Nothing else is asked, because only then does the engine count by the order of events. */
  readonly inRange?: string;
}

const [rows, oldest, newest] = ['count@', 'min', 'max'] as const;

/** @param counts for each dataset a query that counts the events in the range */
export function examinedStatements(counts: readonly Select[]): ExaminedStatements {
  return {
    all: printQuery(ofAll(counts)),
    ...(counts.some(({ where }) => where !== undefined) && { inRange: printQuery(inRange(counts)) }),
  };
}

function inRange(counts: readonly Select[]): Query {
  const [only, ...others] = counts;
  return only !== undefined && others.length === 0 ? only : over(counts, []);
}

function ofAll(counts: readonly Select[]): Query {
  const queries = counts.map((count): Select => {
    const { where: _, ...query } = count;
    const end = (aggregate: string, name: string) => item(nanoseconds(call(aggregate, column('_time'))), name);
    return { ...query, columns: [...query.columns, end('min', oldest), end('max', newest)] };
  });
  const [only, ...others] = queries;
  if (only !== undefined && others.length === 0) return only;
  // The engine gives times even for a dataset without events; these must not count.
  const hasEvents = call('notEquals', column(rows), integer(0));
  return over(queries, [call('minIf', column(oldest), hasEvents), call('maxIf', column(newest), hasEvents)]);
}

/** The number of events of all datasets, and what else is to be said of them. */
const over = (queries: readonly Select[], more: readonly Expr[]): Select =>
  select({
    columns: [item(call('sum', column(rows))), ...more.map((expr) => item(expr))],
    from: { kind: 'subquery', query: { kind: 'unionAll', queries } },
  });

const nanoseconds = (time: Expr): Expr => call('toUnixTimestamp64Nano', time);
