import type { ChartHint } from '../operators/define.js';
import type { Plan } from '../plan/nodes.js';
import { constant, nullScalar } from '../plan/scalar.js';
import type { Bound, Scalar } from '../plan/scalar.js';
import type { Expr, Program, Statement, Tabular, TypeName } from '../syntax/ast.js';
import { parseDatetime } from '../syntax/datetime.js';
import { parseTimespan } from '../syntax/timespan.js';
import { converted, converts, fit, single } from './coerce.js';
import type { LetValue, QueryContext } from './context.js';
import { bindPipeline, scalarScope } from './pipeline.js';
import { bindScalar } from './context.js';

/** A value as JSON has it; integers may be `bigint`. */
export type JsonValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

export interface BoundProgram {
  readonly plan: Plan;
  readonly chart?: ChartHint;
}

/** Binds a whole text. Request variables are names from the start; a `let` of the same name wins. Undefined without a query. */
export function bindProgram(
  program: Program,
  query: QueryContext,
  variables: Readonly<Record<string, JsonValue>>,
): BoundProgram | undefined {
  const lets = new Map<string, LetValue>(
    Object.entries(variables).map(([name, value]) => [name, { kind: 'scalar', value: [variable(value)] }]),
  );
  for (const statement of program.statements) bindStatement(statement, lets, query, variables);
  if (program.query === undefined) {
    query.report.error(
      'syntax',
      program.span,
      "there is nothing to answer: a query begins with a dataset, as in ['logs'] | take 10",
    );
    return undefined;
  }
  let chart: ChartHint | undefined;
  const plan = bindPipeline(program.query, { query, lets }, (hint) => {
    chart = hint;
  });
  return chart === undefined ? { plan } : { plan, chart };
}

function bindStatement(
  statement: Statement,
  lets: Map<string, LetValue>,
  query: QueryContext,
  variables: Readonly<Record<string, JsonValue>>,
): void {
  switch (statement.kind) {
    case 'let': {
      const { text: name } = statement.name;
      lets.set(name, bindLet(statement.value, new Map(lets), query));
      return;
    }
    case 'letFunction':
      lets.set(statement.name.text, {
        kind: 'function',
        params: statement.params,
        body: statement.body,
        lets: new Map(lets),
      });
      return;
    case 'declare':
      for (const { name, type, default: otherwise } of statement.params) {
        const given = variables[name.text];
        const value: Bound =
          given !== undefined
            ? [variable(given)]
            : otherwise !== undefined
              ? bindScalar(otherwise, scalarScope({ fields: [] }, query, lets))
              : [nullScalar];
        const scalar = asDeclared(value, type);
        if (scalar === undefined)
          query.report.error('argument_type', name.span, `the parameter ${name.text} must be ${type}`);
        lets.set(name.text, { kind: 'scalar', value: [scalar ?? constant(type, null)] });
      }
      return;
    case 'set':
      // Implicit conversions are few here; `stricttypes` would only take away integer to real.
      query.report.hint('note', statement.span, `set ${statement.name.text} has no effect`);
  }
}

function bindLet(value: Expr | Tabular, lets: ReadonlyMap<string, LetValue>, query: QueryContext): LetValue {
  const table = asTable(value, lets, query);
  if (table !== undefined) return { kind: 'table', bind: () => bindPipeline(table, { query, lets }) };
  if (value.kind === 'pipeline') return { kind: 'scalar', value: [nullScalar] };
  return { kind: 'scalar', value: bindScalar(value, scalarScope({ fields: [] }, query, lets)) };
}

/** A pipeline, or a bare name that is a table. */
function asTable(value: Expr | Tabular, lets: ReadonlyMap<string, LetValue>, query: QueryContext): Tabular | undefined {
  if (value.kind === 'pipeline') return value;
  if (value.kind === 'tabular') return value.query;
  if (value.kind !== 'name') return undefined;
  const { text, quoted, span } = value.name;
  const own = lets.get(text);
  const isTable = own === undefined ? query.catalogue.dataset(text) !== undefined : own.kind === 'table';
  if (!isTable) return undefined;
  const source = { kind: 'table', pattern: { text, wildcard: false, span }, quoted, span } as const;
  return { kind: 'pipeline', source, operators: [], span };
}

/** A value of the request as a constant. */
function variable(value: JsonValue): Scalar {
  switch (typeof value) {
    case 'string':
      return constant('string', value);
    case 'boolean':
      return constant('bool', value);
    case 'bigint':
      return constant('long', value);
    case 'number':
      return Number.isSafeInteger(value) ? constant('long', BigInt(value)) : constant('real', value);
    case 'object':
      return value === null ? nullScalar : constant(Array.isArray(value) ? 'array' : 'bag', jsonText(value));
  }
}

const jsonText = (value: JsonValue): string =>
  JSON.stringify(value, (_, v: unknown) => (typeof v === 'bigint' ? Number(v) : v));

/** A parameter's value as its type; requests carry many values as text. */
function asDeclared(value: Bound, type: TypeName): Scalar | undefined {
  const scalar = single(value);
  if (scalar.kind === 'constant' && typeof scalar.value === 'string' && scalar.type === 'string' && type !== 'string')
    return fromText(scalar.value, type);
  if (type === 'string' && scalar.kind === 'constant' && scalar.type !== 'string' && scalar.value !== null)
    return constant('string', String(scalar.value));
  return fit(value, type)?.scalar ?? (converts(scalar.type, type) ? converted(scalar, type) : undefined);
}

function fromText(text: string, type: TypeName): Scalar | undefined {
  switch (type) {
    case 'string':
      return constant('string', text);
    case 'long':
      return /^[+-]?\d+$/.test(text) ? constant('long', BigInt(text)) : undefined;
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
