import { type CompiledQuery, type Counts, countingSettings } from '@millrace/apl';
import { type Query, type Select, withSettings } from '@millrace/sql';
import { examinedStatements, type ExaminedStatements } from './examined-statements.js';
import { type CountSource, countSourceOf } from './count-from-result.js';

/** The statements of a compiled query. */
export interface Statements {
  readonly rows: Query;
  readonly totals?: Query;
  /** The result and the totals, if one statement can return both. */
  readonly combined?: Query;
  readonly counts?: {
    readonly examined: ExaminedStatements;
    /** Present if the number of examined rows follows from the result. */
    readonly own?: CountSource;
    readonly matched: { readonly kind: 'all' | 'aggregated' } | { readonly kind: 'query'; readonly query: Query };
  };
  /** Each finds a text that puts the day first, see `Compiled.dayFirst`. */
  readonly dayFirst: readonly Query[];
  /** Whether the result stays the same as long as the data does. */
  readonly repeatable: boolean;
}

const statementCache = new WeakMap<CompiledQuery, Statements>();

/** Made once, so that each is printed once: compiled queries are cached and serve many requests. */
export function statementsOf(compiled: CompiledQuery): Statements {
  const present = statementCache.get(compiled);
  if (present !== undefined) return present;
  const statements = make(compiled);
  statementCache.set(compiled, statements);
  return statements;
}

function make(compiled: CompiledQuery): Statements {
  const { query, totals, counts, dayFirst = [], datasets, needs } = compiled;
  const own = countSourceOf(compiled);
  const counting = (one: Select): Select => (own === 'aggregated' ? withSettings(one, countingSettings) : one);
  return {
    rows: counting(query),
    ...(totals !== undefined && { totals: totals.query }),
    ...(totals?.together !== undefined && { combined: counting(totals.together.query) }),
    ...(counts !== undefined && { counts: { ...countStatements(counts), ...(own !== undefined && { own }) } }),
    dayFirst,
    repeatable: datasets.length > 0 && !needs.has('chance') && !needs.has('files'),
  };
}

const countStatements = ({ examined, matched }: Counts): NonNullable<Statements['counts']> => ({
  examined: examinedStatements(examined),
  matched: matched.kind === 'query' ? { kind: 'query', query: matched.query } : { kind: matched.kind },
});
