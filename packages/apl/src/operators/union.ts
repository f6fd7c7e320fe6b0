import { nothing } from '../bind/sources.js';
import type { Plan, UnionPlan } from '../plan/nodes.js';
import { constant } from '../plan/scalar.js';
import type { Scalar } from '../plan/scalar.js';
import type { Field, RowId } from '../plan/schema.js';
import type { ScalarType } from '../types.js';
import type { BindOperator, OperatorContext } from './define.js';
import { bindTable, bindTables } from './sources/table.js';
import type { Tabular } from '../syntax/ast.js';

export interface UnionPart {
  /** What `withsource` says about its rows. */
  readonly name: string;
  readonly plan: Plan;
}

/** `union [withsource=S] T, …`: rows of all, columns by name, null where a part lacks one. */
export const bindUnion: BindOperator<'union'> = ({ tables, withSource }, input, context) => {
  const first = isNothing(input) ? [] : [{ name: sourceName(input), plan: input }];
  const parts = tables.flatMap((table): readonly UnionPart[] => partsOf(table, context));
  return unionOf([...first, ...parts], context, withSource?.text);
};

export const isNothing = (plan: Plan): boolean =>
  plan.kind === 'rows' && plan.rows.length === 0 && plan.columns.length === 0;

/** A wildcard gives a part for each dataset, so that `withsource` can name it. */
function partsOf(table: Tabular, context: OperatorContext): readonly UnionPart[] {
  const { source, operators } = table;
  if (operators.length === 0 && source.kind === 'table' && source.pattern.wildcard) {
    const union = bindTables([source.pattern], context);
    return union.kind === 'union'
      ? union.inputs.map((plan) => ({ name: sourceName(plan), plan }))
      : [{ name: sourceName(union), plan: union }];
  }
  if (operators.length === 0 && source.kind === 'table')
    return [{ name: source.pattern.text, plan: bindTable(source.pattern, context) }];
  const plan = context.bindPipeline(table);
  return [{ name: sourceName(plan), plan }];
}

/** The dataset a pipeline begins with. */
function sourceName(plan: Plan): string {
  switch (plan.kind) {
    case 'scan':
      return plan.dataset;
    case 'rows':
      return '';
    case 'union':
      return plan.inputs[0] === undefined ? '' : sourceName(plan.inputs[0]);
    case 'join':
      return sourceName(plan.left);
    default:
      return sourceName(plan.input);
  }
}

/** The union of pipelines; one alone needs none unless its name is asked for. */
export function unionOf(parts: readonly UnionPart[], context: OperatorContext, withSource?: string): Plan {
  const [only, ...others] = parts;
  if (only === undefined) return nothing;
  if (others.length === 0 && withSource === undefined) return only.plan;
  const plans = parts.map((part) => part.plan);
  const columns: UnionPlan['columns'][number][] = [];
  const add = (name: string, type: ScalarType, from: readonly (Scalar | undefined)[]): string => {
    const id = context.query.fresh(name);
    columns.push({ id, type, from });
    return id;
  };
  const fields: Field[] = [];
  if (withSource !== undefined) {
    const id = add(
      withSource,
      'string',
      parts.map((part) => constant('string', part.name)),
    );
    fields.push({ name: withSource, readings: [{ type: 'string', id }] });
  }
  for (const name of namesOf(plans)) {
    if (name === withSource) continue;
    const sources = plans.map((plan) => plan.schema.fields.find((field) => field.name === name));
    const types = [...new Set(sources.flatMap((field) => field?.readings.map((reading) => reading.type) ?? []))];
    const readings = types.map((type) => {
      const from = sources.map((field): Scalar | undefined => {
        const reading = field?.readings.find((r) => r.type === type);
        return reading === undefined ? undefined : { kind: 'column', ...reading };
      });
      return { type, id: add(name, type, from) };
    });
    fields.push({ name, readings });
  }
  const ids = plans.map((plan) => plan.schema.rowId);
  const complete = ids.every((id) => id !== undefined);
  const part = (key: keyof RowId, type: ScalarType): string =>
    add(
      `row ${key}`,
      type,
      ids.map((id) => (id === undefined ? undefined : { kind: 'column', type, id: id[key] })),
    );
  const rowId = complete
    ? { time: part('time', 'datetime'), seq: part('seq', 'long'), row: part('row', 'long') }
    : undefined;
  const schema = { fields, ...(rowId === undefined ? {} : { rowId }) };
  return { kind: 'union', schema, inputs: plans, columns };
}

/** Names of all columns; datasets list theirs by name, so several of them do as well. */
function namesOf(plans: readonly Plan[]): readonly string[] {
  const names = new Set(plans.flatMap((plan) => plan.schema.fields.map((field) => field.name)));
  const first = ['_sysTime', '_time'].filter((name) => names.has(name));
  const rest = [...names].filter((name) => !first.includes(name));
  return plans.every((plan) => plan.schema.rowId !== undefined) ? [...first, ...rest.toSorted()] : [...names];
}
