import { type Compiled, type Counts, countingSettings } from '@millrace/apl';
import { printQuery, type Select, withSettings } from '@millrace/sql';
import { examinedStatements, type ExaminedStatements } from './examined-statements.js';
import { type OwnCount, ownCountOf } from './own-count.js';

/** What a compiled query asks the engine, as text. */
export interface Statements {
  readonly answer: string;
  readonly totals?: string;
  /** The answer and the totals, if one statement can tell both. */
  readonly together?: string;
  readonly counts?: {
    readonly examined: ExaminedStatements;
    /** Present if the answer tells how many are examined. */
    readonly own?: OwnCount;
    readonly matched: { readonly kind: 'all' | 'aggregated' } | { readonly kind: 'query'; readonly sql: string };
  };
  /** Each finds a text that puts the day first, see `Compiled.dayFirst`. */
  readonly dayFirst: readonly string[];
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

function print(compiled: Compiled): Statements {
  const { query, totals, counts, dayFirst = [], datasets, needs } = compiled;
  const own = ownCountOf(compiled);
  const printCounting = (one: Select): string =>
    printQuery(own === 'aggregated' ? withSettings(one, countingSettings) : one);
  const answer = printCounting(query);
  return {
    answer,
    ...(totals !== undefined && { totals: printQuery(totals.query) }),
    ...(totals?.together !== undefined && { together: printCounting(totals.together.query) }),
    ...(counts !== undefined && { counts: { ...printCounts(counts), ...(own !== undefined && { own }) } }),
    dayFirst: dayFirst.map(printQuery),
    repeatable: datasets.length > 0 && !needs.has('chance') && !needs.has('files'),
  };
}

const printCounts = ({ examined, matched }: Counts): NonNullable<Statements['counts']> => ({
  examined: examinedStatements(examined),
  matched: matched.kind === 'query' ? { kind: 'query', sql: printQuery(matched.query) } : { kind: matched.kind },
});
