import { and } from './build.js';
import type { Expr, Query, Select, Source, WordSets } from './nodes.js';

/** A table of which a query wants only rows with certain words. */
export type TableWithWords = Extract<Source, { readonly kind: 'table' }> & { readonly words: WordSets };

/** A further condition for the rows of a table; undefined leaves its select as it is. */
export type Narrowing = (table: TableWithWords) => Expr | undefined;

/** The tables in a query of which it wants only rows with certain words. */
export function tablesWithWords(query: Query): readonly TableWithWords[] {
  const found: TableWithWords[] = [];
  narrowed(query, (table) => {
    found.push(table);
    return undefined;
  });
  return found;
}

/** A query whose selects from tables have conditions more, of which nothing that they select depends. */
export function narrowed<Q extends Query>(query: Q, narrowing: Narrowing): Q {
  if (query.kind === 'unionAll') {
    const queries = query.queries.map((part) => narrowed(part, narrowing));
    return queries.every((part, i) => part === query.queries[i]) ? query : { ...query, queries };
  }
  const select: Select = query;
  if (select.from === undefined) return query;
  const { from } = select;
  if (from.kind !== 'table') {
    const source = inSource(from, narrowing);
    return source === from ? query : { ...query, from: source };
  }
  const condition = from.words === undefined ? undefined : narrowing({ ...from, words: from.words });
  if (condition === undefined) return query;
  // Before the others: comparing times takes next to nothing.
  return select.prewhere === undefined
    ? { ...query, where: select.where === undefined ? condition : and(condition, select.where) }
    : { ...query, prewhere: and(condition, select.prewhere) };
}

function inSource(source: Source, narrowing: Narrowing): Source {
  switch (source.kind) {
    case 'table':
    case 'function':
      return source;
    case 'subquery': {
      const query = narrowed(source.query, narrowing);
      return query === source.query ? source : { ...source, query };
    }
    case 'join': {
      const [left, right] = [inSource(source.left, narrowing), inSource(source.right, narrowing)];
      return left === source.left && right === source.right ? source : { ...source, left, right };
    }
  }
}
