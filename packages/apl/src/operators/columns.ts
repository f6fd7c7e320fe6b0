import { isWeekday } from '../bind/values/weekday.js';
import { nullScalar } from '../plan/scalar.js';
import { isInteger } from '../bind/values/whole-numbers.js';
import { urlFunctionOf } from '../bind/names/url-members.js';
import { bindScalar } from '../bind/context.js';
import type { QueryContext, Scope } from '../bind/context.js';
import type { ComputedColumn, Plan, ProjectPlan } from '../plan/nodes.js';
import type { Bound, ColumnId, Scalar } from '../plan/scalar.js';
import type { Field, Role, Schema } from '../plan/schema.js';
import type { Expr, NamedExpr } from '../syntax/ast.js';

/** A named expression after binding: its field and the required computations. */
export interface BoundColumn {
  readonly field: Field;
  readonly computed: readonly ComputedColumn[];
}

/**
 * A field with a value. If the value consists of columns, nothing is computed: the field is those
 * columns under a new name, and a mixed field stays mixed.
 */
export function fieldOf(name: string, value: Bound, scope: Scope, role?: Role): BoundColumn {
  const computed: ComputedColumn[] = [];
  const readings = value.map((scalar) => {
    if (scalar.kind === 'column') return { type: scalar.type, id: scalar.id };
    const id = scope.query.fresh(name);
    computed.push({ id, expr: scalar });
    if (isInteger(scalar, scope.query)) scope.query.wholeColumns.add(id);
    noteValue(id, scalar, scope.query);
    return { type: scalar.type, id };
  });
  return { field: { name, readings, ...(role === undefined ? {} : { role }) }, computed };
}

/** Records whether a new column has days of the week, only nulls, or parts of a URL. */
export function noteValue(id: ColumnId, scalar: Scalar, query: QueryContext): void {
  if (isWeekday(scalar, query)) query.weekdayColumns.add(id);
  // A null that was given a type keeps it.
  if (scalar === nullScalar || (scalar.kind === 'column' && query.missingColumns.has(scalar.id)))
    query.missingColumns.add(id);
  const url = urlFunctionOf(scalar, query);
  if (url !== undefined) query.urlColumns.set(id, url);
}

/** Binds `name = expr`; a column passed on keeps its role in an aggregated result. */
export function bindColumn(column: NamedExpr, name: string, scope: Scope): BoundColumn {
  const value = bindScalar(column.value, scope);
  const source = scope.schema.fields.find((field) => sameColumns(field, value));
  return fieldOf(name, value, scope, source?.role);
}

const sameColumns = (field: Field, value: Bound): boolean =>
  field.readings.length === value.length &&
  field.readings.every((reading, i) => value[i]?.kind === 'column' && value[i].id === reading.id);

/**
 * Functions whose value is another form of their first argument. Their column keeps its name, as in
 * Kusto: bin(_time, 1h) is a coarser _time.
 */
const sameName: ReadonlySet<string> = new Set(
  `bin bin_at bin_auto startofday tostring toint tolong todouble toreal tobool toboolean todatetime totimespan todynamic tohex
   parse_json parse_csv split format_datetime format_timespan`.split(/\s+/),
);

/**
 * The name of an unnamed expression: a field's own name, or the parts of a path joined by `_`.
 * Undefined for anything else.
 */
export function impliedName(expr: Expr): string | undefined {
  switch (expr.kind) {
    case 'name':
      return expr.name.text;
    case 'member': {
      const object = impliedName(expr.object);
      return object === undefined ? undefined : `${object}_${expr.member.text}`;
    }
    case 'index': {
      const object = impliedName(expr.object);
      const index = expr.index.kind === 'literal' ? expr.index.value : undefined;
      return object === undefined || (typeof index !== 'string' && typeof index !== 'bigint')
        ? undefined
        : `${object}_${index}`;
    }
    case 'call':
      return sameName.has(expr.callee.text) && expr.args[0] !== undefined
        ? (expr.args[0].name?.text ?? impliedName(expr.args[0].value))
        : undefined;
    default:
      return undefined;
  }
}

/** A project node over the input; the rows stay the same. */
export function project(input: Plan, fields: readonly Field[], computed: readonly ComputedColumn[]): ProjectPlan {
  return { kind: 'project', schema: withFields(input.schema, fields), input, computed };
}

/** The schema with other fields; rows keep their identity. */
const withFields = (schema: Schema, fields: readonly Field[]): Schema => ({ ...schema, fields });
