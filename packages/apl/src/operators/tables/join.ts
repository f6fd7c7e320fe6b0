import type { Scope } from '../../bind/context.js';
import { bindScalar } from '../../bind/context.js';
import { spelledName } from '../../bind/names/spelled-name.js';
import type { KeyPair } from '../../bind/conditions/join-keys.js';
import { joinKeys } from '../../bind/conditions/join-keys.js';
import type { JoinPlan, Plan } from '../../plan/nodes.js';
import { columnsIn, constant, looksAround } from '../../plan/scalar.js';
import type { Bound } from '../../plan/scalar.js';
import { carriedIn, fieldNamed, idsOf, withoutRowId } from '../../plan/schema.js';
import type { Field, Schema } from '../../plan/schema.js';
import type { Expr, JoinCondition } from '../../syntax/ast.js';
import { typeNameOf } from '../../model/result-types.js';
import { isObject, objectsAround } from '../../bind/names/objects.js';
import { project } from '../columns.js';
import { withObjects } from '../objects.js';
import type { BindOperator, OperatorContext, OperatorOf } from '../define.js';
import { freeName, joinedRest } from '../rare-fields.js';

/**
 * `join kind=… (right) on …`: columns of both sides; a column of the right side whose name the left
 * also has gets a 1 appended.
 */
export const bindJoin: BindOperator<'join'> = (operator, input, context) => {
  noteKind(operator, context);
  return joinPlans(operator, input, context, () => true);
};

/** Kusto joins the first row of each key of the left side, and does so by default. */
function noteKind({ join, kindGiven, span }: OperatorOf<'join'>, { query: { report } }: OperatorContext): void {
  const at = { start: span.start, end: span.start + 'join'.length };
  if (join === 'innerunique')
    report.warning(
      'note',
      at,
      'innerunique takes one match for each row of the left side, as in Axiom; in Kusto all matches for one row of each key',
    );
  else if (kindGiven !== true)
    report.hint(
      'note',
      at,
      'joined with kind=inner, as in Axiom; in Kusto only with one row of the left side for each key',
    );
}

/**
 * `lookup kind=… (right) on …`: columns of the left side, then those of the right that are not
 * keys.
 */
export const bindLookup: BindOperator<'lookup'> = (operator, input, context) =>
  joinPlans(operator, input, context, (field, keys) => !keys.has(field));

function joinPlans(
  { join: style, right: pipeline, on: conditions }: OperatorOf<'join' | 'lookup'>,
  left: Plan,
  context: OperatorContext,
  keep: (field: Field, keys: ReadonlySet<Field>) => boolean,
): Plan {
  const right = withWholeObjects(context.bindPipeline(pipeline), left, context);
  const pairs = conditions.flatMap((condition) => bindCondition(condition, left, right, context) ?? []);
  // The engine drops a comparison of constants combined with others, so one that never matches is
  // used alone.
  const [first, ...rest] = pairs.includes(NEVER) ? [NEVER] : pairs;
  if (first === undefined) return left;
  // By name, since another field may be the same column.
  const keyNames = new Set(conditions.map(rightKey));
  const keys = new Set(right.schema.fields.filter(({ name }) => keyNames.has(name)));
  const both: readonly Field[] = [left, right].flatMap(({ schema }) => [...schema.fields, ...restFields(schema)]);
  const plan: JoinPlan = { kind: 'join', schema: { fields: both }, join: style, left, right, on: [first, ...rest] };
  if (style === 'leftsemi' || style === 'leftanti') return onlySide(plan, left);
  if (style === 'rightsemi' || style === 'rightanti') return onlySide(plan, right);
  const taken = new Set(left.schema.fields.map((field) => field.name));
  for (const { name } of right.schema.fields) if (isObject(name, left.schema)) taken.add(name);
  const added = right.schema.fields
    .filter((field) => keep(field, keys))
    .map((field): Field => {
      return carriedIn(field.readings, { ...field, name: freeName(field.name, taken, left.schema.rest) });
    });
  const leftFields = left.schema.fields.map((field) => carriedIn(field.readings, field));
  const { rest: rare, computed } = joinedRest(
    left.schema.rest,
    right.schema.rest,
    taken,
    left.schema.fields.map(({ name }) => name),
    context.query,
  );
  const joint = project(plan, [...leftFields, ...added], computed);
  return rare === undefined ? joint : { ...joint, schema: { ...joint.schema, rest: rare } };
}

/**
 * The right side with a column for each object that both sides have and the query names with a
 * number: its members get numbers of their own, which no longer say what they are members of.
 */
function withWholeObjects(right: Plan, left: Plan, context: OperatorContext): Plan {
  const names = new Set([
    ...right.schema.fields.flatMap(({ name }) => objectsAround(name)),
    // Members that are rare fields are not among the columns.
    ...(right.schema.rest === undefined ? [] : context.query.mentions.beforeJoins),
  ]);
  const named = [...names].filter(
    (name) =>
      context.query.mentions.has(`${name}1`) &&
      isObject(name, right.schema) &&
      (fieldNamed(left.schema, name) !== undefined || isObject(name, left.schema)),
  );
  if (named.length === 0) return right;
  const all = new Map(named.map((name) => [name, name]));
  const { fields, computed } = withObjects(all, context.scalarScope(right.schema), () => true);
  return project(right, fields, computed);
}

/** The columns of rare fields, which a join has twice. */
const restFields = ({ rest }: Schema): readonly Field[] =>
  rest === undefined
    ? []
    : [
        { name: 'rest', readings: [{ type: 'bag', id: rest.bag }] },
        { name: 'rest text', readings: [{ type: 'string', id: rest.text }] },
      ];

/** The rows of one side that the join leaves, with all they had. */
const onlySide = (plan: JoinPlan, { schema }: Plan): Plan =>
  project({ ...plan, schema: { ...withoutRowId(schema), fields: plan.schema.fields } }, schema.fields, []);

/** Keys that match nothing. */
const NEVER: KeyPair = { left: constant('string', null), right: constant('string', null) };

function bindCondition(
  condition: JoinCondition,
  left: Plan,
  right: Plan,
  context: OperatorContext,
): KeyPair | undefined {
  const notEqual = (): undefined => {
    const message =
      'each side of a condition is about one table, and they are compared with ==: $left.a == $right.b, $left.c == $right.d; compute anything else with extend before';
    context.query.report.error('name', condition.span, message);
    return undefined;
  };
  if (condition.right === undefined && compares(condition.left)) return notEqual();
  const sides = { left: left.schema, right: right.schema };
  const leftScope: Scope = { ...context.scalarScope(left.schema), sides };
  const rightScope: Scope = { ...context.scalarScope(right.schema), sides };
  const swapped =
    mentions(condition.left, '$right') || (condition.right !== undefined && mentions(condition.right, '$left'));
  const other = condition.right ?? condition.left;
  const a = bindScalar(swapped ? other : condition.left, leftScope);
  const b = bindScalar(swapped ? condition.left : other, rightScope);
  if (readsFrom(a, right, left) || readsFrom(b, left, right) || [...a, ...b].some(looksAround)) return notEqual();
  const pair = joinKeys(a, b, condition.span, context.query);
  if (pair === undefined) {
    const message = `${nameOf(a)} and ${nameOf(b)} never match; convert both sides with tostring()`;
    context.query.report.warning('never_matches', condition.span, message);
    return NEVER;
  }
  return pair;
}

/**
 * Whether an expression without `==` compares something, as in `a != b`. Taken as a key of both
 * tables, it would match rows for which it is true in each.
 */
function compares(expr: Expr): boolean {
  switch (expr.kind) {
    case 'binary':
      return !['+', '-', '*', '/', '%'].includes(expr.op);
    case 'stringTest':
    case 'membership':
    case 'between':
      return true;
    default:
      return false;
  }
}

/** Whether a key reads columns that only one of the tables has, `there` and not `here`. */
function readsFrom(key: Bound, there: Plan, here: Plan): boolean {
  const own = new Set(idsOf(here.schema));
  const foreign = new Set(idsOf(there.schema).filter((id) => !own.has(id)));
  return [...columnsIn(key)].some((id) => foreign.has(id));
}

const nameOf = (side: Bound): string => typeNameOf(side.map(({ type }) => type));

/**
 * The name of the right table's field in a condition, if it is one: `a.b` and `['a.b']` are the
 * same.
 */
function rightKey({ left, right = left }: JoinCondition): string | undefined {
  const expr = mentions(left, '$right') || mentions(right, '$left') ? left : right;
  const name = spelledName(expr);
  return name?.startsWith('$right.') === true ? name.slice('$right.'.length) : name;
}

/** Whether `$left` or `$right` stands at the beginning of a path in the expression. */
function mentions(expr: Expr, side: '$left' | '$right'): boolean {
  switch (expr.kind) {
    case 'name':
      return expr.name.text === side;
    case 'member':
    case 'index':
      return mentions(expr.object, side);
    case 'call':
      return expr.args.some((arg) => mentions(arg.value, side));
    case 'binary':
      return mentions(expr.left, side) || mentions(expr.right, side);
    default:
      return false;
  }
}
