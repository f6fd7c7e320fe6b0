import { isWithoutQueries } from './is-constant-query.js';
import type { Expr, OrderKey, Query, Select, SelectItem, Source } from './nodes.js';
import { printExpr } from './print.js';

/**
 * Prints the expressions of a query to text. The query still prints to the same SQL, faster, and is
 * cheap to transfer to another thread: nodes are copied one by one, a text as a block. Its columns,
 * sources and order can still be changed.
 */
export function printedParts<Q extends Query>(query: Q): Q;
export function printedParts(query: Query): Query {
  return query.kind === 'select'
    ? printedSelect(query)
    : { ...query, queries: query.queries.map((part) => printedParts(part)) };
}

/** Inner queries stay queries, because they may have to run elsewhere; see `divideQuery`. */
function printExprOnce(expr: Expr): Expr {
  if (isWithoutQueries(expr)) return { kind: 'printed', text: printExpr(expr) };
  switch (expr.kind) {
    case 'scalarSubquery':
      return { ...expr, query: printedParts(expr.query) };
    case 'inSubquery':
      return { ...expr, needle: printExprOnce(expr.needle), query: printedParts(expr.query) };
    case 'call':
      return { ...expr, args: expr.args.map(printExprOnce) };
    default:
      return expr;
  }
}
const items = (columns: readonly SelectItem[]): readonly SelectItem[] =>
  columns.map((item) => ({ ...item, expr: printExprOnce(item.expr) }));
const keys = (order: readonly OrderKey[]): readonly OrderKey[] =>
  order.map((key) => ({ ...key, expr: printExprOnce(key.expr) }));

const printedSelect = (select: Select): Select => ({
  ...select,
  columns: items(select.columns),
  ...(select.from && { from: printedSource(select.from) }),
  ...(select.arrayJoin && { arrayJoin: items(select.arrayJoin) }),
  ...(select.prewhere && { prewhere: printExprOnce(select.prewhere) }),
  ...(select.where && { where: printExprOnce(select.where) }),
  ...(select.groupBy && { groupBy: select.groupBy.map(printExprOnce) }),
  ...(select.groupingSets && { groupingSets: select.groupingSets.map((set) => set.map(printExprOnce)) }),
  ...(select.having && { having: printExprOnce(select.having) }),
  ...(select.orderBy && { orderBy: keys(select.orderBy) }),
  ...(select.limitBy && { limitBy: { ...select.limitBy, by: select.limitBy.by.map(printExprOnce) } }),
});

function printedSource(source: Source): Source {
  switch (source.kind) {
    case 'table':
      return source;
    case 'subquery':
      return { ...source, query: printedParts(source.query) };
    case 'function':
      return { ...source, args: source.args.map(printExprOnce) };
    case 'join':
      return {
        ...source,
        left: printedSource(source.left),
        right: printedSource(source.right),
        on: printExprOnce(source.on),
      };
  }
}
