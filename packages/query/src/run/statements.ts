import { type CompiledQuery, type Counts, countingSettings } from '@millrace/apl';
import { printQuery, type Select, withSettings } from '@millrace/sql';
import { examinedStatements, type ExaminedStatements } from './examined-statements.js';
import { type CountSource, countSourceOf } from './count-from-result.js';

/** The SQL statements of a compiled query. */
export interface Statements {
  readonly rows: string;
  readonly totals?: string;
  /** The result and the totals, if one statement can return both. */
  readonly combined?: string;
  readonly counts?: {
    readonly examined: ExaminedStatements;
    /** Present if the number of examined rows follows from the result. */
    readonly own?: CountSource;
    readonly matched: { readonly kind: 'all' | 'aggregated' } | { readonly kind: 'query'; readonly sql: string };
  };
  /** Each finds a text that puts the day first, see `Compiled.dayFirst`. */
  readonly dayFirst: readonly string[];
  /** Whether the result stays the same as long as the data does. */
  readonly repeatable: boolean;
}

const statementCache = new WeakMap<CompiledQuery, Statements>();

/** Printed once: compiled queries are cached and serve many requests. */
export function statementsOf(compiled: CompiledQuery): Statements {
  const present = statementCache.get(compiled);
  if (present !== undefined) return present;
  const statements = print(compiled);
  statementCache.set(compiled, statements);
  return statements;
}

function print(compiled: CompiledQuery): Statements {
  const { query, totals, counts, dayFirst = [], datasets, needs } = compiled;
  const own = countSourceOf(compiled);
  const printCounting = (one: Select): string =>
    printQuery(own === 'aggregated' ? withSettings(one, countingSettings) : one);
  const rows = printCounting(query);
  return {
    rows,
    ...(totals !== undefined && { totals: printQuery(totals.query) }),
    ...(totals?.together !== undefined && { combined: printCounting(totals.together.query) }),
    ...(counts !== undefined && { counts: { ...printCounts(counts), ...(own !== undefined && { own }) } }),
    dayFirst: dayFirst.map(printQuery),
    repeatable: datasets.length > 0 && !needs.has('chance') && !needs.has('files'),
  };
}

const printCounts = ({ examined, matched }: Counts): NonNullable<Statements['counts']> => ({
  examined: examinedStatements(examined),
  matched: matched.kind === 'query' ? { kind: 'query', sql: printQuery(matched.query) } : { kind: matched.kind },
});
