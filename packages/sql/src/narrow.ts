import { and, literal } from './build.js';
import type { Expr, Query, Select, Source, WordSets } from './nodes.js';
import { type MayHave, withoutAbsentWords } from './drop-term-hints.js';

type Table = Extract<Source, { readonly kind: 'table' }>;

/** A table from which a query wants only rows with certain words. */
export type TableWithWords = Table & { readonly words: WordSets };

/** Properties of the rows of a table that can contain the words. */
export interface NarrowedRows {
  /** A condition that all these rows meet; true if none is known, false if there are no rows. */
  readonly condition: Expr | boolean;
  readonly mayHave: MayHave;
}

/** Undefined leaves the select of a table as it is. */
export type TableNarrower = (table: TableWithWords) => NarrowedRows | undefined;

/** The tables from which a query wants only rows with certain words. */
export function tablesWithWords(query: Query): readonly TableWithWords[] {
  const found: TableWithWords[] = [];
  narrowQuery(query, (table) => {
    found.push(table);
    return undefined;
  });
  return found;
}

/** Adds conditions to the selects from tables, without changing their results. */
export const narrowQuery = <Q extends Query>(query: Q, narrowing: TableNarrower): Q =>
  onTables(query, (table, select) => {
    const { words } = table;
    const found = words === undefined ? undefined : narrowing({ ...table, words });
    return found === undefined ? select : within(select, found);
  });

function within(select: Select, { condition, mayHave }: NarrowedRows): Select {
  const { where, prewhere, ...rest } = select;
  const leftoverCondition = (all: Expr | undefined): Expr | undefined => all && withoutAbsentWords(all, mayHave);
  const [wanted, first] = [leftoverCondition(where), leftoverCondition(prewhere)];
  const isEmpty = [wanted, first].some((one) => one?.kind === 'literal' && one.value === false);
  // Planning the other conditions would take longer than finding nothing does.
  if (condition === false || isEmpty) return { ...rest, where: literal(false) };
  if (condition === true) return { ...rest, ...(first && { prewhere: first }), ...(wanted && { where: wanted }) };
  if (first === undefined) return { ...rest, where: wanted === undefined ? condition : and(condition, wanted) };
  return { ...rest, prewhere: and(condition, first), ...(wanted !== undefined && { where: wanted }) };
}

/** Replaces the selects from tables in a query, at any level except in expressions. */
export function onTables<Q extends Query>(query: Q, change: (table: Table, select: Select) => Select): Q {
  if (query.kind === 'unionAll') {
    const queries = query.queries.map((part) => onTables(part, change));
    return queries.every((part, i) => part === query.queries[i]) ? query : { ...query, queries };
  }
  const select: Select = query;
  if (select.from === undefined) return query;
  // A select becomes a select.
  if (select.from.kind === 'table') return change(select.from, select) as Q;
  const source = inSource(select.from, change);
  return source === select.from ? query : { ...query, from: source };
}

function inSource(source: Source, change: (table: Table, select: Select) => Select): Source {
  switch (source.kind) {
    case 'table':
    case 'function':
      return source;
    case 'subquery': {
      const query = onTables(source.query, change);
      return query === source.query ? source : { ...source, query };
    }
    case 'join': {
      const [left, right] = [inSource(source.left, change), inSource(source.right, change)];
      return left === source.left && right === source.right ? source : { ...source, left, right };
    }
  }
}
