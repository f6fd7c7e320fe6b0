import type { Expr, OrderKey, Query, Select, SelectItem, Source } from './nodes.js';

/** Traversal of the queries within a query: its sources, and subqueries in its expressions. */

interface Visitor {
  readonly table?: (name: string) => void;
  readonly column?: (name: string) => void;
  /** An expression whose columns are not known: a star, or one that is printed. */
  readonly unknown?: () => void;
}

/** Visits a query and all its inner queries. */
export function visitQuery(query: Query, visitor: Visitor): void {
  const visit = (inner: Query): Query => {
    visitQuery(inner, visitor);
    return inner;
  };
  if (query.kind === 'unionAll') for (const member of query.queries) visitQuery(member, visitor);
  else mapSelect(query, { source: visit, value: visit }, visitor);
}

interface Changes {
  /** Changes a query that is a source. */
  readonly source: (inner: Query) => Query;
  /** Changes a query in an expression. */
  readonly value: (inner: Query) => Query;
}

/** A select with its inner queries changed. */
export function mapSelect(query: Select, changes: Changes, visitor: Visitor = {}): Select {
  const expr = (one: Expr): Expr => mapExpr(one, changes.value, visitor);
  const items = (list: readonly SelectItem[]): readonly SelectItem[] =>
    list.map((one) => ({ ...one, expr: expr(one.expr) }));
  const keys = (list: readonly OrderKey[]): readonly OrderKey[] =>
    list.map((key) => ({ ...key, expr: expr(key.expr) }));
  const { from, arrayJoin, prewhere, where, groupBy, groupingSets, having, orderBy, limitBy } = query;
  return {
    ...query,
    columns: items(query.columns),
    ...(from !== undefined && { from: mapSource(from, changes, visitor) }),
    ...(arrayJoin !== undefined && { arrayJoin: items(arrayJoin) }),
    ...(prewhere !== undefined && { prewhere: expr(prewhere) }),
    ...(where !== undefined && { where: expr(where) }),
    ...(groupBy !== undefined && { groupBy: groupBy.map(expr) }),
    ...(groupingSets !== undefined && { groupingSets: groupingSets.map((set) => set.map(expr)) }),
    ...(having !== undefined && { having: expr(having) }),
    ...(orderBy !== undefined && { orderBy: keys(orderBy) }),
    ...(limitBy !== undefined && { limitBy: { ...limitBy, by: limitBy.by.map(expr) } }),
  };
}

function mapSource(source: Source, changes: Changes, visitor: Visitor): Source {
  switch (source.kind) {
    case 'table':
      if (source.database !== undefined) visitor.table?.(source.name);
      return source;
    case 'subquery':
      return { ...source, query: changes.source(source.query) };
    case 'function':
      return { ...source, args: source.args.map((arg) => mapExpr(arg, changes.value, visitor)) };
    case 'join':
      return {
        ...source,
        left: mapSource(source.left, changes, visitor),
        right: mapSource(source.right, changes, visitor),
        on: mapExpr(source.on, changes.value, visitor),
      };
  }
}

function mapExpr(expr: Expr, change: (inner: Query) => Query, visitor: Visitor): Expr {
  const map = (one: Expr): Expr => mapExpr(one, change, visitor);
  switch (expr.kind) {
    case 'column':
      visitor.column?.(expr.name);
      return expr;
    case 'printed':
    case 'star':
      visitor.unknown?.();
      return expr;
    case 'literal':
      return expr;
    case 'lambda':
      return { ...expr, body: map(expr.body) };
    case 'scalarSubquery':
      return { ...expr, query: change(expr.query) };
    case 'inSubquery':
      return { ...expr, needle: map(expr.needle), query: change(expr.query) };
    case 'call': {
      const { over } = expr;
      return {
        ...expr,
        args: expr.args.map(map),
        ...(over !== undefined && {
          over: {
            ...over,
            ...(over.partitionBy !== undefined && { partitionBy: over.partitionBy.map(map) }),
            ...(over.orderBy !== undefined && {
              orderBy: over.orderBy.map((key) => ({ ...key, expr: map(key.expr) })),
            }),
          },
        }),
      };
    }
  }
}
