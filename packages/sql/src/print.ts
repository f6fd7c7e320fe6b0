import type { Expr, OrderKey, Query, Select, SelectItem, Source, Window } from './nodes.js';
import { checkedName, quoteIdentifier, quoteLiteral, quoteString } from './quote.js';

/** The text of a query. The same nodes always give the same text. */
export function printQuery(query: Query): string {
  switch (query.kind) {
    case 'select':
      return printSelect(query);
    case 'unionAll':
      return query.queries.map((part) => `(${printQuery(part)})`).join(' UNION ALL ');
  }
}

/** The text of an expression. */
export function printExpr(expr: Expr): string {
  switch (expr.kind) {
    case 'column':
      return quoteIdentifier(expr.name);
    case 'literal':
      return quoteLiteral(expr.value);
    case 'call': {
      const params = expr.params === undefined ? '' : `(${list(expr.params)})`;
      const over = expr.over === undefined ? '' : ` OVER (${printWindow(expr.over)})`;
      return `${checkedName(expr.name)}${params}(${list(expr.args)})${over}`;
    }
    case 'lambda':
      return `(${expr.params.map(quoteIdentifier).join(', ')}) -> ${printExpr(expr.body)}`;
    case 'star':
      return '*';
    case 'scalarSubquery':
      return `(${printQuery(expr.query)})`;
    case 'inSubquery':
      return `(${printExpr(expr.needle)} IN (${printQuery(expr.query)}))`;
    case 'printed':
      return expr.text;
  }
}

function printSelect(select: Select): string {
  const parts = [`SELECT ${items(select.columns)}`];
  if (select.from !== undefined) parts.push(`FROM ${printSource(select.from)}`);
  if (select.arrayJoin !== undefined) parts.push(`ARRAY JOIN ${items(select.arrayJoin)}`);
  if (select.prewhere !== undefined) parts.push(`PREWHERE ${printExpr(select.prewhere)}`);
  if (select.where !== undefined) parts.push(`WHERE ${printExpr(select.where)}`);
  if (select.groupBy !== undefined && select.groupBy.length > 0) parts.push(`GROUP BY ${list(select.groupBy)}`);
  if (select.groupingSets !== undefined && select.groupingSets.length > 0)
    parts.push(`GROUP BY GROUPING SETS (${select.groupingSets.map((set) => `(${list(set)})`).join(', ')})`);
  if (select.having !== undefined) parts.push(`HAVING ${printExpr(select.having)}`);
  if (select.orderBy !== undefined && select.orderBy.length > 0) parts.push(`ORDER BY ${order(select.orderBy)}`);
  if (select.limitBy !== undefined) parts.push(`LIMIT ${select.limitBy.limit} BY ${list(select.limitBy.by)}`);
  if (select.limit !== undefined) parts.push(`LIMIT ${select.limit}`);
  if (select.settings !== undefined) {
    const settings = Object.entries(select.settings).map(([name, value]) => `${checkedName(name)} = ${setting(value)}`);
    if (settings.length > 0) parts.push(`SETTINGS ${settings.join(', ')}`);
  }
  return parts.join(' ');
}

function printSource(source: Source): string {
  switch (source.kind) {
    case 'table': {
      const name = quoteIdentifier(source.name);
      const full = source.database === undefined ? name : `${quoteIdentifier(source.database)}.${name}`;
      return aliasText(full, source.alias);
    }
    case 'subquery':
      return aliasText(`(${printQuery(source.query)})`, source.alias);
    case 'function':
      return aliasText(`${checkedName(source.name)}(${list(source.args)})`, source.alias);
    case 'join': {
      const words = [source.strictness === 'all' ? '' : source.strictness, source.join, 'join'];
      const text = words
        .filter((word) => word !== '')
        .join(' ')
        .toUpperCase();
      return `${printSource(source.left)} ${text} ${printSource(source.right)} ON ${printExpr(source.on)}`;
    }
  }
}

function printWindow(window: Window): string {
  const parts: string[] = [];
  if (window.partitionBy !== undefined && window.partitionBy.length > 0)
    parts.push(`PARTITION BY ${list(window.partitionBy)}`);
  if (window.orderBy !== undefined && window.orderBy.length > 0) parts.push(`ORDER BY ${order(window.orderBy)}`);
  if (window.rows !== undefined)
    parts.push(`ROWS BETWEEN ${bound(window.rows.from, 'PRECEDING')} AND ${bound(window.rows.to, 'FOLLOWING')}`);
  return parts.join(' ');
}

function bound(rows: number | undefined, unbounded: 'PRECEDING' | 'FOLLOWING'): string {
  if (rows === undefined) return `UNBOUNDED ${unbounded}`;
  if (rows === 0) return 'CURRENT ROW';
  return rows < 0 ? `${-rows} PRECEDING` : `${rows} FOLLOWING`;
}

const list = (exprs: readonly Expr[]): string => exprs.map(printExpr).join(', ');

const items = (columns: readonly SelectItem[]): string =>
  columns
    .map((c) => (c.alias === undefined ? printExpr(c.expr) : `${printExpr(c.expr)} AS ${quoteIdentifier(c.alias)}`))
    .join(', ');

const order = (keys: readonly OrderKey[]): string =>
  keys
    .map((k) => `${printExpr(k.expr)} ${k.descending ? 'DESC' : 'ASC'} NULLS ${k.nullsFirst ? 'FIRST' : 'LAST'}`)
    .join(', ');

const aliasText = (text: string, alias: string | undefined): string =>
  alias === undefined ? text : `${text} AS ${quoteIdentifier(alias)}`;

const setting = (value: string | number): string => (typeof value === 'number' ? String(value) : quoteString(value));
