import { and, type Expr, literal, type Query, type Select } from '@millrace/sql';

/**
 * The effect of a select on the rows of a table: its filter, and its columns in terms of the
 * table's.
 */
interface Plain {
  readonly condition: Expr;
  readonly columns: ReadonlyMap<string, Expr>;
}

/**
 * The condition for exactly those rows of a table that a query returns, in terms of the columns of
 * the table; undefined if the query does more than filter, reads other rows, or depends on
 * settings, which a deletion does not have.
 */
export const plainCondition = (query: Query): Expr | undefined => plain(query)?.condition;

function plain(query: Query): Plain | undefined {
  if (query.kind === 'unionAll' || doesMore(query) || query.from === undefined) return undefined;
  if (query.from.kind === 'table') return overTable(query);
  const inner = query.from.kind === 'subquery' ? plain(query.from.query) : undefined;
  return inner && over(query, inner.condition, (name) => inner.columns.get(name));
}

const doesMore = ({ groupBy, groupingSets, having, limitBy, limit, arrayJoin }: Select): boolean =>
  [groupBy, groupingSets, having, limitBy, arrayJoin].some((clause) => clause !== undefined) ||
  (limit !== undefined && limit < Number.MAX_SAFE_INTEGER);

function overTable(query: Select): Plain | undefined {
  // A name that the select redefines would have the new meaning in its own condition.
  const renamed = new Set(
    query.columns.flatMap(({ expr, alias }) =>
      alias === undefined || (expr.kind === 'column' && expr.name === alias) ? [] : [alias],
    ),
  );
  return over(query, literal(true), (name) => (renamed.has(name) ? undefined : { kind: 'column', name }));
}

/** A select over the rows that match a condition; `meaning` resolves the names in it. */
function over(
  { columns, prewhere, where }: Select,
  condition: Expr,
  meaning: (name: string) => Expr | undefined,
): Plain | undefined {
  const conditions: Expr[] = [condition];
  for (const expr of [prewhere, where]) {
    if (expr === undefined) continue;
    const replaced = inTerms(expr, meaning);
    if (replaced === undefined) return undefined;
    conditions.push(replaced);
  }
  const named = new Map<string, Expr>();
  for (const { expr, alias } of columns) {
    const name = alias ?? (expr.kind === 'column' ? expr.name : undefined);
    const replaced = name === undefined ? undefined : inTerms(expr, meaning);
    // A column that cannot be expressed matters only if a condition uses it.
    if (name !== undefined && replaced !== undefined) named.set(name, replaced);
  }
  return { condition: and(...conditions), columns: named };
}

/** Functions whose results depend on settings of the statement. */
const ofSettings = /JSON/i;

function inTerms(expr: Expr, meaning: (name: string) => Expr | undefined): Expr | undefined {
  switch (expr.kind) {
    case 'literal':
      return expr;
    case 'column':
      return meaning(expr.name);
    case 'lambda': {
      const params = new Set(expr.params);
      const body = inTerms(expr.body, (name) => (params.has(name) ? { kind: 'column', name } : meaning(name)));
      return body && { ...expr, body };
    }
    case 'call': {
      if (expr.over !== undefined || ofSettings.test(expr.name)) return undefined;
      const args = expr.args.map((arg) => inTerms(arg, meaning));
      return args.every((arg) => arg !== undefined) ? { ...expr, args } : undefined;
    }
    case 'star':
    case 'scalarSubquery':
    case 'inSubquery':
    case 'printed':
      return undefined;
  }
}
