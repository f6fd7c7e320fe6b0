import type { Compiled, Counts } from '@millrace/apl';
import { call, column, integer, item, printQuery, type Query, select, type Select } from '@millrace/sql';

/** What a compiled query asks the engine, as text. */
export interface Statements {
  readonly answer: string;
  readonly totals?: string;
  /** The answer and the totals, if one statement can tell both. */
  readonly together?: string;
  readonly counts?: {
    /** How many rows there are in the range, and their oldest and newest time. */
    readonly examined: string;
    readonly matched: { readonly kind: 'all' | 'aggregated' } | { readonly kind: 'query'; readonly sql: string };
  };
  /** Whether the answer stays the same as long as the data does. */
  readonly repeatable: boolean;
}

const printed = new WeakMap<Compiled, Statements>();

/** Printed once: compiled queries are kept and serve many requests. */
export function statementsOf(compiled: Compiled): Statements {
  const present = printed.get(compiled);
  if (present !== undefined) return present;
  const statements = print(compiled);
  printed.set(compiled, statements);
  return statements;
}

function print({ query, totals, counts, datasets }: Compiled): Statements {
  const answer = printQuery(query);
  return {
    answer,
    ...(totals !== undefined && { totals: printQuery(totals.query) }),
    ...(totals?.together !== undefined && { together: printQuery(totals.together.query) }),
    ...(counts !== undefined && { counts: printCounts(counts) }),
    repeatable: datasets.length > 0 && !changing.test(answer),
  };
}

const printCounts = ({ examined, matched }: Counts): NonNullable<Statements['counts']> => ({
  examined: printQuery(examinedOf(examined)),
  matched: matched.kind === 'query' ? { kind: 'query', sql: printQuery(matched.query) } : { kind: matched.kind },
});

/** Queries that use random numbers, read the clock or read data from elsewhere. */
const changing = /\b(rand\w*|generateUUID\w*|now\w*|today|url)\(/i;

const [rows, oldest, newest] = ['count@', 'min', 'max'] as const;

/** How many events there are in the range, and the times of the oldest and the newest, which cost no more. */
function examinedOf(counts: readonly Select[]): Query {
  const queries = counts.map(withTimes);
  const [only, ...others] = queries;
  if (only !== undefined && others.length === 0) return only;
  // The engine gives times even for a dataset without events; these must not count.
  const hasEvents = call('notEquals', column(rows), integer(0));
  const hull = (name: string, time: string) => item(call(name, column(time), hasEvents));
  return select({
    columns: [item(call('sum', column(rows))), hull('minIf', oldest), hull('maxIf', newest)],
    from: { kind: 'subquery', query: { kind: 'unionAll', queries } },
  });
}

function withTimes(query: Select): Select {
  const time = (name: string) => item(call('toUnixTimestamp64Nano', call(name, column('_time'))), name);
  return { ...query, columns: [...query.columns, time(oldest), time(newest)] };
}
