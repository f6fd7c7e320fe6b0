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

const printed = (expr: Expr): Expr => ({ kind: 'printed', text: printExpr(expr) });
const items = (columns: readonly SelectItem[]): readonly SelectItem[] =>
  columns.map((item) => ({ ...item, expr: printed(item.expr) }));
const keys = (order: readonly OrderKey[]): readonly OrderKey[] =>
  order.map((key) => ({ ...key, expr: printed(key.expr) }));

const printedSelect = (select: Select): Select => ({
  ...select,
  columns: items(select.columns),
  ...(select.from && { from: printedSource(select.from) }),
  ...(select.arrayJoin && { arrayJoin: items(select.arrayJoin) }),
  ...(select.prewhere && { prewhere: printed(select.prewhere) }),
  ...(select.where && { where: printed(select.where) }),
  ...(select.groupBy && { groupBy: select.groupBy.map(printed) }),
  ...(select.groupingSets && { groupingSets: select.groupingSets.map((set) => set.map(printed)) }),
  ...(select.having && { having: printed(select.having) }),
  ...(select.orderBy && { orderBy: keys(select.orderBy) }),
  ...(select.limitBy && { limitBy: { ...select.limitBy, by: select.limitBy.by.map(printed) } }),
});

function printedSource(source: Source): Source {
  switch (source.kind) {
    case 'table':
      return source;
    case 'subquery':
      return { ...source, query: printedParts(source.query) };
    case 'function':
      return { ...source, args: source.args.map(printed) };
    case 'join':
      return {
        ...source,
        left: printedSource(source.left),
        right: printedSource(source.right),
        on: printed(source.on),
      };
  }
}
