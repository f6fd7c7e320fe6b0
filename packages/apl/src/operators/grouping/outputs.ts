import { aggregateNamed } from '../../aggregates/index.js';
import type { NamedAggregate } from '../../aggregates/index.js';
import { aggregateCollector, bindAggregate, rowScope } from '../../bind/calls/aggregates.js';
import type { AggregateCollector, CollectedAggregate } from '../../bind/calls/collector.js';
import type { Scope } from '../../bind/context.js';
import { bindScalar } from '../../bind/context.js';
import { columnOf } from '../../plan/scalar.js';
import type { Bound } from '../../plan/scalar.js';
import { fieldNamed } from '../../plan/schema.js';
import type { Field, Role } from '../../plan/schema.js';
import type { CallExpr, Expr, NamedExpr, Span } from '../../syntax/ast.js';
import { fieldOf, impliedName } from '../columns.js';
import type { BoundColumn } from '../columns.js';
import { checkDifferent, otherName } from '../different-names.js';
import type { AggregatedRest } from '../rare-fields.js';

/** For an expression that is neither a field nor a call. */
const defaultName = { implied: 'Column', numbered: true } as const;

interface Output {
  readonly name: string | undefined;
  /** The default name; `detail` is appended to distinguish it from equal names. */
  readonly implied: string;
  readonly detail?: string;
  /**
   * The default name is the name of a field that a call converts: a column of the field itself may
   * take it.
   */
  readonly givesWay?: boolean;
  /** The implied name is never without a number. */
  readonly numbered?: boolean;
  readonly value: Bound;
  readonly role: Role;
  readonly span: Span;
}

interface Outputs<C extends NamedExpr> {
  /** Columns with their expressions; `arg_max` is one expression for several. */
  readonly columns: readonly (BoundColumn & { readonly written: C })[];
  /** The aggregates in them. */
  readonly found: readonly CollectedAggregate[];
  /** Rare fields that they take as well, by `arg_max(…, *)`. */
  readonly rests: readonly AggregatedRest[];
}

/**
 * Expressions over aggregates and groups as named columns; `rows` is the scope of the rows that are
 * aggregated.
 */
export function bindOutputs<C extends NamedExpr>(
  aggregates: readonly C[],
  groups: readonly Field[],
  rows: Scope,
): Outputs<C> {
  const collector = aggregateCollector(rows.schema);
  const scope: Scope = { ...rows, schema: { fields: groups }, aggregates: collector };
  const taken = groups.map(({ name }) => name);
  const bound = aggregates.map((written) => ({ written, ...bindOutput(written, scope, collector) }));
  const rests = bound.flatMap(({ rest }) => rest ?? []);
  const outputs = nameOutputs(
    bound.flatMap(({ written, outputs }) => outputs.map((output) => ({ ...output, written }))),
    taken,
    rests,
  );
  checkDifferent(
    outputs.map(({ name, span }) => ({ text: name, span })),
    scope,
    otherName,
    taken,
  );
  return {
    columns: outputs.map(({ name, value, role, written }) => {
      const { field, computed } = fieldOf(name, value, scope, role);
      const alias = written.name === undefined ? kustoName(name, written.value) : undefined;
      return { field: alias === undefined ? field : { ...field, alias }, computed, written };
    }),
    found: collector.found,
    rests,
  };
}

/**
 * Kusto's name of the column for an unnamed aggregate: `set_a` for `make_set_a`, `percentile_a_50`
 * for `percentile_a`.
 */
function kustoName(name: string, value: Expr): string | undefined {
  if (/^make_(?:list|set|bag)/.test(name)) return name.replace(/^make_(list|set|bag)(?:_?if|_with_nulls)?_/, '$1_');
  const second = value.kind === 'call' ? value.args[1]?.value : undefined;
  if (second?.kind === 'name' && /^covariancep?_/.test(name)) return `${name}_${second.name.text}`;
  if (second?.kind !== 'literal' || !/^percentile_[^]*\D$/.test(name)) return undefined;
  return `${name}_${String(second.value).replace('.', '_')}`;
}

interface BoundOutput {
  readonly outputs: readonly Output[];
  readonly rest?: AggregatedRest;
}

function bindOutput(column: NamedExpr, scope: Scope, collector: AggregateCollector): BoundOutput {
  const { value, span } = column;
  const { found } = collector;
  const name = column.name?.text;
  const aggregate = value.kind === 'call' ? aggregateNamed(value.callee.text) : undefined;
  if (value.kind === 'call' && aggregate !== undefined) {
    if (aggregate.record.name === 'arg_max' || aggregate.record.name === 'arg_min')
      return bindExtreme(aggregate, value, name, scope, collector);
    const bound = collector.bind(value, scope);
    const info = found.at(-1)?.info ?? { name: aggregate.api };
    if (bound === undefined) return { outputs: [] };
    const field = value.args[0] === undefined ? undefined : fieldName(value.args[0].value);
    // A wish already has the arguments.
    const detail =
      column.wish === undefined ? info.args?.map((arg) => String(arg).replace(/[[\]\s]/g, '')).join('_') : undefined;
    const output: Output = {
      name,
      implied: column.wish ?? `${value.callee.text}_${field ?? ''}`,
      ...(detail === undefined ? {} : { detail }),
      value: bound,
      role: { kind: 'aggregate', api: info },
      span,
    };
    return { outputs: [output] };
  }
  const before = found.length;
  const bound = bindScalar(value, scope);
  if (found.length === before && name === undefined && bound[0].kind !== 'constant')
    scope.query.report.error(
      'not_aggregate',
      value.span,
      'summarize needs an aggregate here, such as count() or avg(field)',
    );
  const implied = value.kind === 'call' ? (value.args[0]?.name?.text ?? `${value.callee.text}_`) : impliedName(value);
  const role = { kind: 'aggregate', api: { name: 'computed' } } as const;
  return { outputs: [{ name, ...(implied === undefined ? defaultName : { implied }), value: bound, role, span }] };
}

/**
 * The field an aggregate is named after: only a bare field counts, which `a.b`, `['a.b']` and
 * `['a']['b']` are.
 */
function fieldName(expr: Expr): string | undefined {
  if (expr.kind === 'name') return expr.name.text;
  const key = keyOf(expr);
  const object = key === undefined ? undefined : fieldName(key.object);
  return object === undefined ? undefined : `${object}.${key!.name}`;
}

function keyOf(expr: Expr): { readonly object: Expr; readonly name: string } | undefined {
  if (expr.kind === 'member') return { object: expr.object, name: expr.member.text };
  if (expr.kind !== 'index' || expr.index.kind !== 'literal' || typeof expr.index.value !== 'string') return undefined;
  return { object: expr.object, name: expr.index.value };
}

type Extreme = Pick<Output, 'name' | 'implied' | 'givesWay'> & { readonly value: Expr };

/** `arg_max(expression, a, b)`: a column for each argument, named after it by default. */
function bindExtreme(
  aggregate: NamedAggregate,
  call: CallExpr,
  name: string | undefined,
  outer: Scope,
  { rows, found }: AggregateCollector,
): BoundOutput {
  const scope = rowScope(outer, rows);
  const [best, ...others] = call.args;
  if (best === undefined || best.value.kind === 'star') {
    scope.query.report.error(
      'argument_count',
      call.span,
      `${aggregate.name} needs an expression and fields, as in ${aggregate.name}(duration, id)`,
    );
    return { outputs: [] };
  }
  const fields = others.flatMap((arg): readonly Extreme[] =>
    arg.value.kind === 'star'
      ? scope.schema.fields
          .filter((field) => fieldNamed(outer.schema, field.name) === undefined)
          .map((field) => {
            const text = { text: field.name, quoted: true, isColumn: true, span: arg.value.span } as const;
            return { name: undefined, implied: field.name, value: { kind: 'name', name: text, span: arg.value.span } };
          })
      : [
          {
            name: arg.name?.text,
            implied: impliedName(arg.value) ?? `${aggregate.name}_${others.indexOf(arg) + 1}`,
            givesWay: arg.value.kind === 'call',
            value: arg.value,
          },
        ],
  );
  const first: Extreme = {
    name: name ?? best.name?.text,
    implied: impliedName(best.value) ?? `${aggregate.name}_`,
    givesWay: best.value.kind === 'call',
    value: best.value,
  };
  // The expression itself is not repeated; a field that it converts is another column.
  const columns: readonly Extreme[] = [
    first,
    ...fields.filter((field) => first.givesWay || (field.name ?? field.implied) !== impliedName(best.value)),
  ];
  let rest: AggregatedRest | undefined;
  const outputs = columns.flatMap(({ value, ...names }): readonly Output[] => {
    const args = [{ value: best.value }, { value }];
    const collected = bindAggregate(aggregate, { ...call, args }, scope);
    if (collected === undefined) return [];
    found.push(collected);
    if (rows.rest !== undefined && rest === undefined && others.some((arg) => arg.value.kind === 'star')) {
      const { call: like, info } = collected;
      const args = [...like.args.slice(0, -1), columnOf({ type: 'bag', id: rows.rest.bag })];
      const bag = scope.query.fresh('rest');
      found.push({ id: bag, call: { ...like, type: 'bag', args }, info });
      const api = { ...info, fields: info.fields?.slice(0, -1) ?? [] };
      const role = { kind: 'aggregate', api } as const;
      rest = { bag, names: rows.rest.names, role };
    }
    return [
      {
        ...names,
        value: [columnOf({ type: collected.call.type, id: collected.id })],
        role: { kind: 'aggregate', api: collected.info },
        span: call.span,
      },
    ];
  });
  return { outputs, ...(rest && { rest }) };
}

/**
 * Names the unnamed outputs: equal names are distinguished by their arguments, else by numbers, and
 * fields retain their names.
 */
function nameOutputs<O extends Output>(
  outputs: readonly O[],
  groups: readonly string[],
  rests: readonly AggregatedRest[],
): readonly (O & { readonly name: string })[] {
  const taken = new Set([...groups, ...outputs.flatMap((output) => output.name ?? [])]);
  const kept = new Set(
    outputs.flatMap(({ name, implied, givesWay, numbered }) =>
      name !== undefined || givesWay === true || numbered === true ? [] : [implied],
    ),
  );
  const namesakes = new Map<string, number>();
  for (const { name, implied } of outputs)
    if (name === undefined) namesakes.set(implied, (namesakes.get(implied) ?? 0) + 1);
  // Where to go on, since the numbers before are taken: a thousand namesakes would otherwise each
  // try those of all others.
  const next = new Map<string, number>();
  return outputs.map((output) => {
    if (output.name !== undefined) return { ...output, name: output.name };
    const { implied, detail, givesWay = false, numbered = false } = output;
    const detailed = namesakes.get(implied)! > 1 && detail !== undefined ? `${implied}_${detail}` : implied;
    const first = numbered ? `${detailed}1` : detailed;
    let name = first;
    const isRare = (): boolean => name !== detailed && rests.some(({ names }) => names.has(name));
    const key = `${givesWay} ${detailed}`;
    let i = next.get(key) ?? (numbered ? 2 : 1);
    for (; taken.has(name) || isRare() || (givesWay && kept.has(name)); i++) name = `${detailed}${i}`;
    next.set(key, i);
    taken.add(name);
    return { ...output, name };
  });
}
