import {
  call,
  column,
  type Expr,
  integer,
  item,
  nothing,
  printQuery,
  type Query,
  select,
  type Select,
} from '@millrace/sql';

/** Two ways to ask how many events there are in the range of a query, and for the times of the oldest and the newest. */
export interface ExaminedStatements {
  /** Reads the time of every event in the range; nothing in parts that the range covers. */
  readonly scanned: string;
  /**
   * Counts by the order of the events, and looks for the first and the last: a few thousand rows of each part, and three times the planning. Absent for
   * a query without a range.
   */
  readonly sought?: string;
}

const [rows, oldest, newest] = ['count@', 'min', 'max'] as const;

/** @param counts for each dataset a query that counts the events in the range */
export function examinedStatements(counts: readonly Select[]): ExaminedStatements {
  return {
    scanned: printQuery(scanned(counts)),
    ...(counts.every(isRange) && { sought: printQuery(sought(counts)) }),
  };
}

/** Whether a query counts the rows of a table in a range. */
const isRange = ({ from, where, arrayJoin, groupBy }: Select): boolean =>
  from?.kind === 'table' && where !== undefined && arrayJoin === undefined && groupBy === undefined;

function scanned(counts: readonly Select[]): Query {
  const queries = counts.map((query): Select => {
    const end = (aggregate: string, name: string) => item(nanoseconds(call(aggregate, column('_time'))), name);
    return { ...query, columns: [...query.columns, end('min', oldest), end('max', newest)] };
  });
  const [only, ...others] = queries;
  if (only !== undefined && others.length === 0) return only;
  // The engine gives times even for a dataset without events; these must not count.
  const hasEvents = call('notEquals', column(rows), integer(0));
  return hullOf(queries, call('minIf', column(oldest), hasEvents), call('maxIf', column(newest), hasEvents));
}

function sought(counts: readonly Select[]): Query {
  return hullOf(counts.flatMap(endsOf), call('min', column(oldest)), call('max', column(newest)));
}

/** The number of events, the first, and the last, each with nothing in place of the others. */
function endsOf(count: Select): readonly Select[] {
  const end = (columns: Select['columns'], descending: boolean): Select => ({
    ...count,
    columns: [item(integer(0), rows), ...columns],
    orderBy: [{ expr: column('_time'), descending, nullsFirst: false }],
    limit: 1,
  });
  const time = nanoseconds(column('_time'));
  return [
    { ...count, columns: [...count.columns, item(nothing, oldest), item(nothing, newest)] },
    end([item(time, oldest), item(nothing, newest)], false),
    end([item(nothing, oldest), item(time, newest)], true),
  ];
}

const hullOf = (queries: readonly Select[], first: Expr, last: Expr): Select =>
  select({
    columns: [item(call('sum', column(rows))), item(first), item(last)],
    from: { kind: 'subquery', query: { kind: 'unionAll', queries } },
  });

const nanoseconds = (time: Expr): Expr => call('toUnixTimestamp64Nano', time);
