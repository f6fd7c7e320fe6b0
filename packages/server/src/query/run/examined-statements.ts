import {
  call,
  column,
  type Expr,
  integer,
  item,
  printQuery,
  type Query,
  select,
  type Select,
  withSettings,
} from '@millrace/sql';

/**
 * The statements that find out how many events are in the range of a query, and between which
 * times.
 */
export interface ExaminedStatements {
  /**
   * How many events the datasets have in total, and the times of the oldest and the newest. The
   * engine knows this of every part, unless events of it were deleted or are left out by a
   * condition. Then it reads the part; if the range is not everything, it refuses when there is
   * much to read.
   */
  readonly all: string;
  /** Absent if all events are in the range. */
  readonly inRange?: {
    /**
     * How many events are in the range. This asks for nothing else, because only then can the
     * engine count by the order of events alone.
     */
    readonly count: string;
    /** The same, and the times of the oldest and the newest of them: asked if `all` is refused. */
    readonly times: string;
  };
}

const [rows, oldest, newest] = ['count@', 'min', 'max'] as const;

/** Reading this many times takes two or three milliseconds. */
const mostRead = 1_000_000;

/** @param counts for each dataset a query that counts the events in the range */
export function examinedStatements(counts: readonly Select[]): ExaminedStatements {
  const all = withTimes(
    counts.map((count): Select => {
      const { where: _, ...whole } = count;
      return whole;
    }),
  );
  if (counts.every(({ where }) => where === undefined)) return { all: printQuery(all) };
  return {
    all: printQuery(withSettings(all, { max_rows_to_read: mostRead })),
    inRange: { count: printQuery(counted(counts)), times: printQuery(withTimes(counts)) },
  };
}

function counted(counts: readonly Select[]): Query {
  const [only, ...others] = counts;
  return only !== undefined && others.length === 0 ? only : over(counts, []);
}

function withTimes(counts: readonly Select[]): Select {
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
