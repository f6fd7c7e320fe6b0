import type { Expr, Query, Select, Source } from './nodes.js';

/**
 * Whether a query reads no rows of any table, because every select from one has a false condition.
 * Its result then does not depend on the data.
 */
export function isConstantQuery(query: Query): boolean {
  if (query.kind === 'unionAll') return query.queries.every(isConstantQuery);
  return expressionsOf(query).every(isWithoutQueries) && isOfNothing(query);
}

function isOfNothing({ from, where }: Select): boolean {
  if (from?.kind !== 'table') return from === undefined || sourceReadsNothing(from);
  return where?.kind === 'literal' && where.value === false;
}

function sourceReadsNothing(source: Source): boolean {
  switch (source.kind) {
    case 'subquery':
      return isConstantQuery(source.query);
    case 'join':
      return [source.left, source.right].every(sourceReadsNothing) && isWithoutQueries(source.on);
    case 'table':
    case 'function':
      return false;
  }
}

const expressionsOf = (select: Select): readonly Expr[] => [
  ...select.columns.map(({ expr }) => expr),
  ...(select.arrayJoin ?? []).map(({ expr }) => expr),
  ...(select.where === undefined ? [] : [select.where]),
  ...(select.prewhere === undefined ? [] : [select.prewhere]),
  ...(select.groupBy ?? []),
  ...(select.groupingSets ?? []).flat(),
  ...(select.having === undefined ? [] : [select.having]),
  ...(select.orderBy ?? []).map(({ expr }) => expr),
  ...(select.limitBy?.by ?? []),
];

export function isWithoutQueries(expr: Expr): boolean {
  switch (expr.kind) {
    case 'column':
    case 'literal':
    case 'star':
      return true;
    case 'call':
      return (
        expr.args.every(isWithoutQueries) &&
        (expr.params ?? []).every(isWithoutQueries) &&
        [...(expr.over?.partitionBy ?? []), ...(expr.over?.orderBy ?? []).map((key) => key.expr)].every(
          isWithoutQueries,
        )
      );
    case 'lambda':
      return isWithoutQueries(expr.body);
    case 'scalarSubquery':
    case 'inSubquery':
    case 'printed':
      return false;
  }
}
