import type { Compiled, Counts } from '@millrace/apl';
import { call, column, item, printQuery, type Query } from '@millrace/sql';

/** What a compiled query asks the engine, as text. */
export interface Statements {
  readonly answer: string;
  readonly totals?: string;
  /** The answer and the totals, if one statement can tell both. */
  readonly together?: string;
  readonly counts?: {
    /** How many rows there are in the range, and of what times. */
    readonly examined: string;
    readonly matched: { readonly kind: 'all' | 'aggregated' } | { readonly kind: 'query'; readonly sql: string };
  };
  /** Whether the answer is the same as long as the data is. */
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
  examined: printQuery(withTimes(examined)),
  matched: matched.kind === 'query' ? { kind: 'query', sql: printQuery(matched.query) } : { kind: matched.kind },
});

/** Queries that draw lots, read the clock or read what is elsewhere. */
const changing = /\b(rand\w*|generateUUID\w*|now\w*|today|url)\(/i;

/** Of a single dataset also the oldest and the newest time, which costs no more. */
function withTimes(query: Query): Query {
  if (query.kind !== 'select' || query.from?.kind !== 'table') return query;
  const time = (name: 'min' | 'max') => item(call('toUnixTimestamp64Nano', call(name, column('_time'))), name);
  return { ...query, columns: [...query.columns, time('min'), time('max')] };
}
