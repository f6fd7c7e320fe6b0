import { call, column, type Expr, integer, item, type Query, select, type Select, withSettings } from '@millrace/sql';

/**
 * The statements that find out how many events are in the range of a query, and between which
 * times.
 */
export interface ExaminedStatements {
  /**
   * The total number of events of the datasets, and the times of the oldest and the newest. The
   * engine has these as metadata of every part, unless events of it were deleted or are excluded by
   * a condition. Then it reads the part; if the range is not everything, it rejects large reads.
   */
  readonly all: Query;
  /** Absent if all events are in the range. */
  readonly inRange?: {
    /**
     * The number of events in the range. A separate statement, because only then can the engine
     * count by the sort order alone.
     */
    readonly count: Query;
    /** The count, and the times of the oldest and the newest event; used if `all` is rejected. */
    readonly times: Query;
  };
}

const [rows, oldest, newest] = ['count@', 'min', 'max'] as const;

/** Reading this many times takes 2 or 3 ms. */
const maxTimesRead = 1_000_000;

/** @param counts for each dataset a query that counts the events in the range */
export function examinedStatements(counts: readonly Select[]): ExaminedStatements {
  const all = addTimes(
    counts.map((count): Select => {
      const { where: _, ...whole } = count;
      return whole;
    }),
  );
  if (counts.every(({ where }) => where === undefined)) return { all };
  return {
    all: withSettings(all, { max_rows_to_read: maxTimesRead }),
    inRange: { count: countRows(counts), times: addTimes(counts) },
  };
}

function countRows(counts: readonly Select[]): Query {
  const [only, ...others] = counts;
  return only !== undefined && others.length === 0 ? only : over(counts, []);
}

function addTimes(counts: readonly Select[]): Select {
  const queries = counts.map((count): Select => {
    const end = (aggregate: string, name: string) => item(nanoseconds(call(aggregate, column('_time'))), name);
    return { ...count, columns: [...count.columns, end('min', oldest), end('max', newest)] };
  });
  const [only, ...others] = queries;
  if (only !== undefined && others.length === 0) return only;
  // The engine gives times even for a dataset without events; these must not count.
  const hasEvents = call('notEquals', column(rows), integer(0));
  return over(queries, [call('minIf', column(oldest), hasEvents), call('maxIf', column(newest), hasEvents)]);
}

/** The number of events of all datasets together, and other aggregates over them. */
const over = (queries: readonly Select[], more: readonly Expr[]): Select =>
  select({
    columns: [item(call('sum', column(rows))), ...more.map((expr) => item(expr))],
    from: { kind: 'subquery', query: { kind: 'unionAll', queries } },
  });

const nanoseconds = (time: Expr): Expr => call('toUnixTimestamp64Nano', time);
