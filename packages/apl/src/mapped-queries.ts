import type { Query } from '@millrace/sql';
import type { CompiledQuery } from './compiled-query.js';

/** A compiled query with another form of each of its statements. */
export function mappedQueries(compiled: CompiledQuery, change: <Q extends Query>(query: Q) => Q): CompiledQuery {
  const { query, totals, counts } = compiled;
  return {
    ...compiled,
    query: change(query),
    ...(totals !== undefined && {
      totals: {
        ...totals,
        query: change(totals.query),
        ...(totals.together !== undefined && {
          together: { ...totals.together, query: change(totals.together.query) },
        }),
      },
    }),
    ...(counts !== undefined && {
      counts: {
        examined: counts.examined.map((select) => change(select)),
        matched:
          counts.matched.kind === 'query'
            ? { ...counts.matched, query: change<Query>(counts.matched.query) }
            : counts.matched,
      },
    }),
  };
}
