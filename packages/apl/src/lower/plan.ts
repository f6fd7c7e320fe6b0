import { ascendingKey, call, cast, column, integer, item, literal, printExpr } from '@millrace/sql';
import type { Expr, OrderKey, Query, Select, SelectItem, Source } from '@millrace/sql';
import type { LowerContext } from '../functions/define.js';
import type { AggregatePlan, ExpandPlan, JoinPlan, Plan, RowsPlan, SortPlan, UnionPlan } from '../plan/nodes.js';
import { constant, looksAround } from '../plan/scalar.js';
import type { ColumnId, Scalar } from '../plan/scalar.js';
import { idsOf } from '../plan/schema.js';
import type { Schema } from '../plan/schema.js';
import { clickhouseType } from '../model/types.js';
import type { ScalarType } from '../model/types.js';
import { bucketGroup, bucketOf } from '../plan/bucket-group.js';
import { constantRows } from './relations/constant-rows.js';
import { mayHaveEmptyBlocks } from './optimizations/empty-blocks.js';
import { equalBits } from './equality.js';
import { isSorted } from './optimizations/is-sorted.js';
import { withoutNullKeys, joinSource } from './relations/join.js';
import { newestFirst, scan } from './relations/scan.js';
import { expand } from './relations/expand.js';
import { external } from './relations/external.js';
import { hasLongOrder, repeatsMuch } from './uses.js';
import { groupsByWholeKeys } from './optimizations/group-keys-whole.js';
import { withWords } from './relations/term-hints.js';
import { Aliases, emptyRelation, isLimited, seal, selectOf } from './relations/relation.js';
import type { Relation } from './relations/relation.js';
import { columnIn, filterForm, groupKey, lowerAggregates, lowerScalar, narrowKey } from './scalar.js';
import type { LoweringMemo, ScalarScope } from './scalar.js';
import { constantOf } from './values.js';

/** Lowers the plans of one query. */
export class PlanLowering {
  readonly #context: LowerContext;
  readonly #aliases = new Aliases();
  /** Random numbers drawn so far. */
  #draws = 0;

  constructor(context: LowerContext) {
    this.#context = context;
  }

  /** A query that gives the columns of a plan, in schema order, for use inside an expression. */
  readonly query = (plan: Plan): Query => {
    const relation = this.#relation(plan);
    const items = idsOf({ fields: plan.schema.fields }).map((id) => item(columnIn(relation, id), id));
    return selectOf(relation, items, isLimited(relation));
  };

  /**
   * The query for the request: the given expressions over the plan's columns, in the plan's order.
   */
  answer(
    plan: Plan,
    columns: readonly { readonly alias: string; readonly sql: (scope: ScalarScope) => Expr }[],
  ): Select {
    const relation = this.#relation(plan);
    const scope = this.#scope(relation);
    return selectOf(
      relation,
      columns.map(({ alias, sql }) => item(sql(scope), alias)),
      true,
    );
  }

  /** A query for the number of rows of a plan. */
  count(plan: Plan): Select {
    const relation = this.#ready(this.#relation(plan), [], ['limit', 'window', 'group']);
    return selectOf({ ...relation, order: [] }, [item(call('count'), 'count@')], false);
  }

  #scope(relation: Relation): ScalarScope {
    const memo: LoweringMemo = { lowered: new Map(), changing: 0 };
    const draw = (): Expr => {
      memo.changing++;
      return this.#draw(relation);
    };
    const context = { ...this.#context, order: relation.order, draw };
    return { columns: relation.columns, context, query: this.query, memo };
  }

  #draw(relation: Relation): Expr {
    return call('tuple', integer(this.#draws++), ...eachRow(relation));
  }

  #relation(plan: Plan): Relation {
    switch (plan.kind) {
      case 'scan':
        return scan(plan);
      case 'rows':
        return this.#rows(plan);
      case 'external':
        return external(plan);
      case 'filter': {
        // Not HAVING: the engine merges tests of one text there and then fails to find the
        // aggregates in them.
        const input = this.#ready(this.#relation(plan.input), [plan.predicate], ['limit', 'window', 'group']);
        const condition = filterForm(lowerScalar(plan.predicate, this.#scope(input)).sql);
        return { ...withWords(input, plan.predicate), where: [...input.where, condition] };
      }
      case 'project': {
        const exprs = plan.computed.map((c) => c.expr);
        const windowed = exprs.some(looksAround);
        const before = this.#ready(this.#relation(plan.input), exprs, windowed ? ['limit', 'window', 'group'] : []);
        const ready = windowed && hasLongOrder(before) ? seal(before, this.#aliases) : before;
        const { input, sql } = this.#lowerExprs(ready, exprs, plan.per);
        const added = plan.computed.map((c, i) => [c.id, sql[i]!] as const);
        return {
          ...input,
          columns: new Map([...input.columns, ...added]),
          ...(windowed ? { windowed } : {}),
        };
      }
      case 'aggregate':
        return this.#aggregate(plan);
      case 'sort':
        return this.#sort(plan);
      case 'limit': {
        const input = this.#relation(plan.input);
        if (plan.by === undefined) return { ...input, limit: Math.min(plan.count, input.limit ?? plan.count) };
        const ready = this.#ready(input, [], ['limit']);
        return { ...ready, limitBy: { limit: plan.count, by: plan.by.map((id) => columnIn(ready, id)) } };
      }
      case 'sample': {
        const input = this.#ready(this.#relation(plan.input), [], ['limit', 'window', 'group']);
        return {
          ...input,
          where: [...input.where, call('less', call('randCanonical', this.#draw(input)), literal(plan.fraction))],
        };
      }
      case 'union':
        return this.#union(plan);
      case 'join':
        return this.#join(plan);
      case 'expand':
        return this.#expand(plan);
      case 'topSeries':
        throw new RangeError('topSeries is rewritten by a pass');
    }
  }

  /**
   * The relation, sealed if it already has one of the clauses or if the expressions would repeat
   * too much of it.
   */
  #ready(relation: Relation, exprs: readonly Scalar[], clauses: readonly ('limit' | 'window' | 'group')[]): Relation {
    const blocked = clauses.some(
      (clause) =>
        (clause === 'limit' && isLimited(relation)) ||
        (clause === 'window' && relation.windowed === true) ||
        (clause === 'group' && relation.groupBy !== undefined),
    );
    return blocked || repeatsMuch(relation, exprs) ? seal(relation, this.#aliases) : relation;
  }

  /**
   * SQL of expressions over a relation, which is sealed if they would read inside its group keys or
   * aggregates.
   */
  #lowerExprs(
    relation: Relation,
    exprs: readonly Scalar[],
    per: readonly ColumnId[] = [],
  ): { readonly input: Relation; readonly sql: readonly Expr[] } {
    const scope = this.#scope(relation);
    const within = { ...scope, context: { ...scope.context, partition: per.map((id) => columnIn(relation, id)) } };
    const sql = exprs.map((expr) => lowerScalar(expr, within).sql);
    return groupsByWholeKeys(relation, sql)
      ? { input: relation, sql }
      : this.#lowerExprs(seal(relation, this.#aliases), exprs, per);
  }

  #rows(plan: RowsPlan): Relation {
    if (plan.columns.length === 0 && plan.rows.length === 1) return emptyRelation;
    const scope = this.#scope(emptyRelation);
    const type = `Array(Tuple(${['UInt32', ...plan.columns.map((c) => clickhouseType[c.type])].join(', ')}))`;
    // Grouping an empty array by constants, the engine makes a group; with an array whose elements
    // are filtered out it does not.
    const none = plan.rows.length === 0 ? [plan.columns.map(({ type }) => constant(type, null))] : [];
    const cells = (): Expr => {
      const tuples = [...plan.rows, ...none].map((row, i) =>
        call('tuple', integer(i), ...row.map((cell) => lowerScalar(cell, scope).sql)),
      );
      return cast(call('array', ...tuples), type);
    };
    const rows = call('arrayJoin', (none.length === 0 ? constantRows(plan, type) : undefined) ?? cells());
    const from: Source = {
      kind: 'subquery',
      query: {
        kind: 'select',
        columns: [item(rows, '@cells')],
        ...(none.length === 0 ? {} : { where: literal(false) }),
      },
    };
    const cell = (position: number): Expr => call('tupleElement', column('@cells'), integer(position));
    return {
      ...emptyRelation,
      from,
      columns: new Map(plan.columns.map((c, i) => [c.id, cell(i + 2)])),
      order: [ascendingKey(cell(1))],
    };
  }

  #aggregate(plan: AggregatePlan): Relation {
    const exprs = [...plan.groups.map((g) => g.expr), ...plan.aggregates.flatMap((a) => a.call.args)];
    const ready = this.#ready(this.#relation(plan.input), exprs, ['limit', 'window', 'group']);
    // The engine aggregates the rows of a sorted subquery one after the other.
    const keepsOrder = plan.aggregates.some((a) => a.call.overload.keepsOrder === true) && isSorted(plan.input);
    const input = keepsOrder ? seal(ready, this.#aliases, true) : ready;
    const scope = this.#scope(input);
    const bucket = bucketOf(plan)?.size;
    // Groups by a time bin alone count as ungrouped: their totals aggregate everything and must
    // have the same text (`answer-with-totals.ts`).
    const isGrouped = plan.groups.some(({ id }) => id !== bucketGroup(plan));
    const groups = plan.groups.map((g) => {
      const value = lowerScalar(g.expr, scope);
      return [g.id, value.sql.kind === 'literal' ? groupKey(value.sql) : equalBits(value)] as const;
    });
    const calls = lowerAggregates(
      plan.aggregates.map((a) => a.call),
      scope,
      { grouped: isGrouped, ...(bucket !== undefined && { bucket }) },
    );
    const aggregates = plan.aggregates.map((a, i) => [a.id, calls[i]!] as const);
    // The result is one row, with any input.
    if (groups.length + aggregates.length === 0) return emptyRelation;
    // When the engine groups an empty block by constants, it still makes a group, which is filtered
    // out by its count.
    const mayBeEmpty = groups.length > 0 && mayHaveEmptyBlocks(plan.input);
    return {
      ...input,
      columns: new Map([...groups, ...aggregates]),
      groupBy: groups.map(([, sql]) => narrowKey(sql)),
      ...(mayBeEmpty && { having: call('greater', call('count'), integer(0)) }),
      order: [],
    };
  }

  #sort(plan: SortPlan): Relation {
    const relation = this.#relation(plan.input);
    const exprs = plan.keys.map((k) => k.expr);
    // Sealed if only the order reads an aggregation without groups: in a subquery the engine drops
    // the order, and the single row with it.
    const { input, sql } = this.#lowerExprs(
      this.#ready(relation, exprs, relation.groupBy?.length === 0 ? ['limit', 'group'] : ['limit']),
      exprs,
    );
    const keys = plan.keys.map((key, i): OrderKey => ({
      expr: groupKey(sql[i]!),
      descending: key.descending,
      nullsFirst: key.nullsFirst,
    }));
    const sortedBy = new Set(keys.map((key) => printExpr(key.expr)));
    const order = [...keys, ...orderBefore(input).filter((key) => !sortedBy.has(printExpr(key.expr)))];
    return { ...input, order: untilDistinct(order, input.groupBy ?? []) };
  }

  #union(plan: UnionPlan): Relation {
    const queries = plan.inputs.map((part, i): Query => {
      const relation = this.#relation(part);
      const scope = this.#scope(relation);
      const items = plan.columns.map((c): SelectItem => {
        const from = c.from[i];
        return item(
          from === undefined ? constantOf(c.type, null).sql : withType(lowerScalar(from, scope).sql, c.type),
          c.id,
        );
      });
      return selectOf(relation, items, isLimited(relation));
    });
    return {
      ...emptyRelation,
      from: { kind: 'subquery', query: { kind: 'unionAll', queries } },
      columns: new Map(plan.columns.map((c) => [c.id, column(c.id)])),
      order: newestFirst(plan.schema),
    };
  }

  #join(plan: JoinPlan): Relation {
    const side = (input: Plan, keys: readonly Scalar[]): Relation =>
      seal(withoutNullKeys(plan, this.#relation(input), keys), this.#aliases);
    const left = side(
      plan.left,
      plan.on.map((pair) => pair.left),
    );
    const right = side(
      plan.right,
      plan.on.map((pair) => pair.right),
    );
    const source = joinSource(
      plan,
      { source: left.from, scope: this.#scope(left) },
      { source: right.from, scope: this.#scope(right) },
    );
    return {
      ...emptyRelation,
      from: source,
      columns: keep(new Map([...left.columns, ...right.columns]), plan.schema),
      order: left.order,
    };
  }

  #expand(plan: ExpandPlan): Relation {
    const before = this.#relation(plan.input);
    const exprs = plan.arrays.map((a) => a.expr);
    // ARRAY JOIN needs a source to read from, and a second one needs its own select.
    const source = before.arrayJoin === undefined && before.from !== undefined ? before : seal(before, this.#aliases);
    const input = this.#ready(source, exprs, ['limit', 'window', 'group']);
    const scope = this.#scope(input);
    const expanded = expand(
      plan,
      exprs.map((expr) => lowerScalar(expr, scope).sql),
    );
    return {
      ...input,
      arrayJoin: expanded.items,
      ...(plan.index === undefined ? { position: expanded.position } : {}),
      columns: new Map([...input.columns, ...expanded.columns]),
      order: input.order.length === 0 ? [] : [...input.order, byPosition(expanded.position)],
    };
  }
}

/**
 * Elements of an array in their order: where keys are equal, as they are for the elements of one
 * row, the engine's sorting keeps none.
 */
const byPosition = (position: string): OrderKey => ascendingKey(column(position));

/** The order that a sort of the rows leaves among those with equal keys. */
const orderBefore = ({ order, position, groupBy }: Relation): readonly OrderKey[] =>
  order.length > 0 || position === undefined || groupBy !== undefined ? order : [byPosition(position)];

/**
 * Seed of a random number in addition to its position in the query: without it, the engine may
 * compute one random value for all rows that an expansion makes of a row. The last sort key
 * distinguishes rows, while a column may be constant. The rows of a table are not expanded.
 */
function eachRow({ from, arrayJoin, columns, order }: Relation): readonly Expr[] {
  const alias = arrayJoin?.[0]?.alias;
  if (alias !== undefined) return [column(alias)];
  const last = from?.kind === 'table' ? undefined : (order.at(-1)?.expr ?? [...columns.values()].at(-1));
  return last === undefined ? [] : [last];
}

/** All parts of a union must have exactly the same types. */
const withType = (sql: Expr, type: ScalarType): Expr => cast(sql, clickhouseType[type]);

const keep = (columns: ReadonlyMap<ColumnId, Expr>, schema: Schema): ReadonlyMap<ColumnId, Expr> =>
  new Map(
    [...idsOf(schema), schema.rowId?.sysTime, schema.rest?.text].flatMap((id) => {
      const sql = id === undefined ? undefined : columns.get(id);
      return id === undefined || sql === undefined ? [] : [[id, sql] as const];
    }),
  );

/** The keys of an order up to the first with which all groups differ. */
function untilDistinct(order: readonly OrderKey[], groupBy: readonly Expr[]): readonly OrderKey[] {
  if (groupBy.length === 0) return order;
  const missing = new Set(groupBy.map(printExpr));
  const last = order.findIndex(({ expr }) => missing.delete(printExpr(narrowKey(expr))) && missing.size === 0);
  return last < 0 ? order : order.slice(0, last + 1);
}
