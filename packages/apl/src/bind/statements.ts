import { emptyPlan } from '../plan/empty-plan.js';
import { constant, nullScalar } from '../plan/scalar.js';
import type { Bound, Scalar } from '../plan/scalar.js';
import { repeatedNames } from '../operators/different-names.js';
import type { Expr, Statement, Tabular, TypeName } from '../syntax/ast.js';
import { parseDatetime } from '../syntax/lexing/datetime.js';
import { parseTimespan } from '../syntax/lexing/timespan.js';
import { asTable } from './as-table.js';
import { convertTo, converts, fit, single } from './values/coerce.js';
import { bindScalar } from './context.js';
import { jsonOfConstant } from './values/dynamic.js';
import type { BindRules, Lets, LetValue, QueryContext, Scope } from './context.js';
import { fitsInt64 } from '../model/int64.js';

/** A value as JSON has it; integers may be `bigint`. */
export type JsonValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

/** The names visible to statements. */
interface StatementContext {
  readonly query: QueryContext;
  /**
   * Values from the request. They are bound before the first statement, so a `let` of the same name
   * wins.
   */
  readonly variables: Readonly<Record<string, JsonValue>>;
  readonly rules: BindRules;
}

/** The names that the statements before a query define, and those known before. */
export function bindStatements(
  statements: readonly Statement[],
  context: StatementContext,
  known: Lets = new Map(),
): Lets {
  const given = Object.entries(context.variables);
  const lets = new Map<string, LetValue>([
    ...known,
    ...given.map(([name, value]) => [name, { kind: 'scalar', value: [variable(value)] }] as const),
  ]);
  for (const statement of statements) if (context.query.step(statement.span)) bindStatement(statement, lets, context);
  return lets;
}

function bindStatement(statement: Statement, lets: Map<string, LetValue>, context: StatementContext): void {
  const { query, variables } = context;
  switch (statement.kind) {
    case 'let': {
      const { text: name } = statement.name;
      lets.set(name, bindLet(statement.value, new Map(lets), context));
      return;
    }
    case 'letFunction':
      for (const { text, span } of repeatedNames(statement.params.map((param) => param.name)))
        query.report.error('name', span, `there are two parameters ${text}`);
      lets.set(statement.name.text, {
        kind: 'function',
        params: statement.params,
        statements: statement.statements,
        body: bodyOf(statement, lets, context),
        lets: new Map(lets),
      });
      return;
    case 'declare':
      for (const { name, type, default: otherwise } of statement.params) {
        const given = Object.hasOwn(variables, name.text) ? variables[name.text] : undefined;
        const value: Bound =
          given !== undefined
            ? [variable(given)]
            : otherwise !== undefined
              ? bindScalar(otherwise, constantScope(lets, context))
              : [nullScalar];
        const scalar = asDeclared(value, type);
        if (scalar === undefined) {
          const wanted = type === 'long' ? 'long, an integer of 64 bits' : type;
          query.report.error('argument_type', name.span, `the parameter ${name.text} must be ${wanted}`);
        }
        lets.set(name.text, { kind: 'scalar', value: [scalar ?? constant(type, null)] });
      }
      return;
    case 'set':
      // There are few implicit conversions here; `stricttypes` would only disable integer to real.
      // Others, such as a different time for now(), would change the result.
      query.report[statement.name.text === 'stricttypes' ? 'hint' : 'warning'](
        'note',
        statement.span,
        `set ${statement.name.text} has no effect`,
      );
  }
}

function bindLet(value: Expr | Tabular, lets: Lets, context: StatementContext): LetValue {
  const { query, rules } = context;
  const table = asTable(value, lets, isDataset(context));
  if (table !== undefined) return { kind: 'table', bind: () => rules.pipeline(table, { query, lets }) };
  if (value.kind === 'pipeline') return { kind: 'scalar', value: [nullScalar] };
  return { kind: 'scalar', value: bindScalar(value, constantScope(lets, context)) };
}

const isDataset =
  ({ query: { catalog } }: StatementContext) =>
  (name: string): boolean =>
    catalog.dataset(name) !== undefined || catalog.view?.(name) !== undefined;

/**
 * The body of a function. One that only names a table, or only calls a function that gives one, is
 * a pipeline.
 */
function bodyOf(
  { params, statements, body }: Extract<Statement, { kind: 'letFunction' }>,
  lets: Lets,
  context: StatementContext,
): Expr | Tabular {
  const inside = new Map(lets);
  for (const { name, tabular } of params)
    inside.set(
      name.text,
      tabular === true ? { kind: 'table', bind: () => emptyPlan } : { kind: 'scalar', value: [nullScalar] },
    );
  for (const statement of statements) {
    if (statement.kind === 'let')
      inside.set(
        statement.name.text,
        asTable(statement.value, inside, isDataset(context)) === undefined
          ? { kind: 'scalar', value: [nullScalar] }
          : { kind: 'table', bind: () => emptyPlan },
      );
    else if (statement.kind === 'letFunction')
      inside.set(statement.name.text, {
        kind: 'function',
        params: statement.params,
        statements: statement.statements,
        body: bodyOf(statement, inside, context),
        lets: inside,
      });
  }
  return asTable(body, inside, isDataset(context)) ?? body;
}

const constantScope = (lets: Lets, { query, rules }: StatementContext): Scope => ({
  query,
  schema: { fields: [] },
  lets,
  rules,
});

/** A value from the request as a constant. */
function variable(value: JsonValue): Scalar {
  switch (typeof value) {
    case 'string':
      return constant('string', value);
    case 'boolean':
      return constant('bool', value);
    case 'bigint':
      return fitsInt64(value) ? constant('long', value) : constant('real', Number(value));
    case 'number':
      return Number.isSafeInteger(value) ? constant('long', BigInt(value)) : constant('real', value);
    case 'object':
      return value === null ? nullScalar : constant(Array.isArray(value) ? 'array' : 'bag', jsonText(value));
  }
}

/** `JSON.stringify` would not do: JavaScript numbers keep only 53 bits. */
function jsonText(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(jsonText).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}:${jsonText(member)}`);
    return `{${members.join(',')}}`;
  }
  return jsonOfConstant(variable(value)) ?? 'null';
}

/** A parameter's value converted to its type; requests carry many values as text. */
function asDeclared(value: Bound, type: TypeName): Scalar | undefined {
  const scalar = single(value);
  if (scalar.kind === 'constant' && typeof scalar.value === 'string' && scalar.type === 'string' && type !== 'string')
    return fromText(scalar.value, type);
  if (type === 'string' && scalar.kind === 'constant' && scalar.type !== 'string' && scalar.value !== null)
    return constant('string', String(scalar.value));
  const declared = fit(value, type)?.scalar ?? (converts(scalar.type, type) ? convertTo(scalar, type) : undefined);
  // A number beyond 64 bits would silently be null.
  const given = scalar.kind !== 'constant' || scalar.value !== null;
  return given && declared?.kind === 'constant' && declared.value === null ? undefined : declared;
}

function fromText(text: string, type: TypeName): Scalar | undefined {
  switch (type) {
    case 'string':
      return constant('string', text);
    case 'long':
      return /^[+-]?\d+$/.test(text) && fitsInt64(BigInt(text)) ? constant('long', BigInt(text)) : undefined;
    case 'real':
      return text.trim() !== '' && Number.isFinite(Number(text)) ? constant('real', Number(text)) : undefined;
    case 'bool':
      return text === 'true' || text === 'false' ? constant('bool', text === 'true') : undefined;
    case 'datetime': {
      const time = parseDatetime(text);
      return time === undefined ? undefined : constant('datetime', time);
    }
    case 'timespan': {
      const span = parseTimespan(text);
      return span === undefined ? undefined : constant('timespan', span);
    }
    case 'dynamic':
      return constant('dynamic', JSON.stringify(text));
  }
}
