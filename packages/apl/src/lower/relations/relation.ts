import { call, column, item, printExpr, select } from '@millrace/sql';
import type { Expr, OrderKey, Select, SelectItem, Source } from '@millrace/sql';
import type { ColumnId } from '../../plan/scalar.js';
import { filterOf } from './filter.js';
import { largeColumn } from '../shared-subexpressions.js';
import { originOf } from '../origins.js';

/**
 * A select under construction. Operators are merged into it as long as SQL's order of clauses
 * (from, array join, where, group by, select, order by, limit) agrees with theirs; where it does
 * not, `seal` turns it into a subquery.
 */
export interface Relation {
  /** Absent: one row without columns. */
  readonly from: Source | undefined;
  /** If `from` is a table: columns that are texts, arrays or objects as they are stored. */
  readonly texts?: ReadonlySet<ColumnId>;
  readonly arrayJoin?: readonly SelectItem[];
  /** The one of the joined arrays that only the order reads, if there is one. */
  readonly position?: string;
  /** The expression of each column, over the columns of `from`, or over the groups if grouped. */
  readonly columns: ReadonlyMap<ColumnId, Expr>;
  readonly where: readonly Expr[];
  readonly groupBy?: readonly Expr[];
  readonly having?: Expr;
  /**
   * The order of the rows. It is written only where it has an effect: under a limit, under an
   * aggregate that keeps it, and at the end.
   */
  readonly order: readonly OrderKey[];
  readonly limit?: number;
  readonly limitBy?: { readonly limit: number; readonly by: readonly Expr[] };
  /** Whether a column reads other rows (window functions), so that filters must come after it. */
  readonly windowed?: boolean;
}

export const emptyRelation: Relation = { from: undefined, columns: new Map(), where: [], order: [] };

/**
 * Whether rows are left out by their position, so that the order must be written and nothing may be
 * merged in before.
 */
export const isLimited = ({ limit, limitBy }: Relation): boolean => limit !== undefined || limitBy !== undefined;

/**
 * Names for carried sort keys, with one counter per query. They begin with @, unlike those of
 * columns, which end in it or in @ and a number.
 */
export class Aliases {
  #next = 0;
  sortKey(): string {
    return `@sort${this.#next++}`;
  }
}

/**
 * The relation as the source of a new one. All its columns stay reachable, including the texts from
 * which their JSON is made, and so does its order, which `ordered` also adds as ORDER BY. The
 * engine drops unused columns.
 */
export function seal(relation: Relation, aliases: Aliases, ordered: boolean = isLimited(relation)): Relation {
  const items: SelectItem[] = [...relation.columns].map(([id, expr]) => item(expr, id));
  const aliasOf = new Map([...relation.columns].map(([id, expr]) => [printExpr(expr), id]));
  const order = relation.order.map((key): OrderKey => {
    const text = printExpr(key.expr);
    let alias = aliasOf.get(text);
    if (alias === undefined) {
      alias = aliases.sortKey();
      aliasOf.set(text, alias);
      items.push(item(key.expr, alias));
    }
    return { ...key, expr: column(alias) };
  });
  const columns = new Map(
    [...relation.columns].map(([id, expr]) => {
      // After grouping, the text is out of reach.
      const origin = relation.groupBy === undefined ? originOf(expr) : undefined;
      if (origin === undefined) return [id, column(id)];
      const text = `${id}@text`;
      items.push(item(origin.text, text));
      return [id, origin.madeFrom(column(text), largeColumn(id))];
    }),
  );
  const query = selectOf(relation, items, ordered);
  return {
    from: { kind: 'subquery', query },
    columns,
    where: [],
    order,
  };
}

/**
 * The finished select; `ordered` adds ORDER BY. A select needs columns, so one without gets a
 * constant.
 */
export function selectOf(relation: Relation, items: readonly SelectItem[], ordered: boolean): Select {
  const orderBy = ordered ? orderOf(relation) : [];
  return select({
    columns: items.length === 0 ? [item(call('toUInt8', { kind: 'literal', value: 1n }), 'row@')] : items,
    ...(relation.from === undefined ? {} : { from: relation.from }),
    ...arraysOf(relation, [...items.map(({ expr }) => expr), ...orderBy.map(({ expr }) => expr)]),
    ...filterOf(relation.where, relation.arrayJoin === undefined ? relation.from : undefined),
    ...(relation.groupBy === undefined ? {} : { groupBy: relation.groupBy }),
    ...(relation.having === undefined ? {} : { having: relation.having }),
    ...(orderBy.length === 0 ? {} : { orderBy }),
    ...(relation.limitBy === undefined ? {} : { limitBy: relation.limitBy }),
    ...(relation.limit === undefined ? {} : { limit: relation.limit }),
  });
}

/**
 * The order to be written. A table that is read in its own order, which a whole row id shows, need
 * not be sorted, and keeps elements in theirs.
 */
function orderOf({ from, order, position }: Relation): readonly OrderKey[] {
  const [last] = order.slice(-1);
  const isStored = from?.kind === 'table' && order.length === rowIdColumns.length + 1;
  const isNatural =
    isStored && rowIdColumns.every((name, i) => isColumn(order[i]?.expr, name) && order[i]?.descending === true);
  return isNatural && position !== undefined && isColumn(last?.expr, position) ? order.slice(0, -1) : order;
}

const rowIdColumns = ['_time', '_seq', '_row'];

/** The arrays to join, without the positions of elements if nothing reads them. */
function arraysOf(
  { arrayJoin, position, windowed }: Relation,
  read: readonly Expr[],
): { readonly arrayJoin?: readonly SelectItem[] } {
  if (arrayJoin === undefined) return {};
  const isRead = position === undefined || windowed === true || read.some((expr) => isColumn(expr, position));
  return { arrayJoin: isRead ? arrayJoin : arrayJoin.filter(({ alias }) => alias !== position) };
}

const isColumn = (expr: Expr | undefined, name: string): boolean => expr?.kind === 'column' && expr.name === name;
