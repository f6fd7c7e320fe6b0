import { aggregateNamed } from '../aggregates/index.js';
import type { Lets } from '../bind/context.js';
import { applied } from '../bind/calls.js';
import { functionNamed } from '../functions/index.js';
import type { AggregatePlan, Plan } from '../plan/nodes.js';
import type { ColumnId } from '../plan/scalar.js';
import type { Field } from '../plan/schema.js';
import { fieldNamed } from '../plan/schema.js';
import { hoist } from '../passes/windows.js';
import { project } from './columns.js';
import type { BindOperator } from './define.js';
import { bindMvExpand } from './mv-expand.js';

/** The name of the table that the body reads; no table of a user can have it. */
const RECORD = '$record';

/**
 * `mv-apply [kind=…] x = a to typeof(T) on (where … | top … | summarize …)`: the body runs over the elements of each record separately. Limits
 * and aggregations in it are per record; the record's columns come before those of the body, which may give them other values.
 */
export const bindMvApply: BindOperator<'mv-apply'> = (operator, input, context): Plan => {
  const { query } = context;
  // Records are identified by their row number.
  const record = query.fresh('record');
  const rowNumber = functionNamed('row_number')?.overloads[0];
  if (rowNumber === undefined) throw new RangeError('no function row_number');
  const numbered: Plan = {
    ...project(input, input.schema.fields, [{ id: record, expr: applied('row_number', rowNumber, [], query) }]),
    schema: {
      ...input.schema,
      fields: [...input.schema.fields, { name: record, readings: [{ type: 'long', id: record }] }],
    },
  };
  const { bag, columns, itemIndex, limit, body, span } = operator;
  const expanded = bindMvExpand(
    {
      kind: 'mv-expand',
      bag,
      columns,
      span,
      ...(itemIndex === undefined ? {} : { itemIndex }),
      ...(limit === undefined ? {} : { limit }),
    },
    numbered,
    context,
  );
  const visible: Plan = project(
    expanded,
    expanded.schema.fields.filter((field) => field.name !== record),
    [],
  );
  const lets: Lets = new Map([...context.lets, [RECORD, { kind: 'table', bind: () => visible }]]);
  const source = { kind: 'table', pattern: { text: RECORD, wildcard: false, span }, quoted: true, span } as const;
  const bound = context.bindPipeline({ kind: 'pipeline', source, operators: body, span }, lets);
  const kept = input.schema.fields.filter((field) => sameColumns(field, fieldNamed(visible.schema, field.name)));
  const result = perRecord(bound, visible, { record, kept, fresh: (like) => query.fresh(like) });
  if (result === undefined) {
    const message = 'the body of mv-apply may filter, compute, sort, limit and summarize, but not read other tables';
    query.report.error('unsupported', span, message);
    return input;
  }
  const own = new Set(result.kept.map((field) => field.name));
  const ordered: Plan = {
    kind: 'sort',
    schema: result.plan.schema,
    input: result.plan,
    keys: [{ expr: { kind: 'column', type: 'long', id: record }, descending: false, nullsFirst: false }],
    implicit: true,
  };
  // A column that the body computes under the name of an existing one replaces it, as with `extend`.
  const present = result.kept.map((field, i) => {
    const ofBody = fieldNamed(bound.schema, field.name);
    return ofBody === undefined || sameColumns(kept[i]!, ofBody) ? field : ofBody;
  });
  return project(ordered, [...present, ...bound.schema.fields.filter((field) => !own.has(field.name))], []);
};

const sameColumns = (a: Field, b: Field | undefined): boolean =>
  b !== undefined &&
  a.readings.length === b.readings.length &&
  a.readings.every((reading, i) => reading.id === b.readings[i]?.id);

/** The column that identifies a record, and the record's columns under their current ids. */
interface Records {
  readonly record: ColumnId;
  readonly kept: readonly Field[];
  readonly fresh: (like: string) => ColumnId;
}

interface PerRecord {
  readonly plan: Plan;
  readonly kept: readonly Field[];
}

/** The body's plan with limits, aggregations and functions of other rows per record; undefined if it reads other tables. */
function perRecord(whole: Plan, base: Plan, records: Records): PerRecord | undefined {
  if (whole === base) return { plan: whole, kept: records.kept };
  const plan = hoist(whole, records.fresh);
  switch (plan.kind) {
    case 'filter':
    case 'project':
    case 'sort':
    case 'limit':
    case 'expand':
    case 'sample': {
      const inner = perRecord(plan.input, base, records);
      if (inner === undefined) return undefined;
      const input = inner.plan;
      const { kept } = inner;
      if (plan.kind === 'project')
        return { kept, plan: { ...plan, input, per: [...(plan.per ?? []), records.record] } };
      if (plan.kind === 'limit') return { kept, plan: { ...plan, input, by: [...(plan.by ?? []), records.record] } };
      return { kept, plan: { ...plan, input } };
    }
    case 'aggregate': {
      const inner = perRecord(plan.input, base, records);
      return inner && carrying({ ...plan, input: inner.plan }, { ...records, kept: inner.kept });
    }
    case 'scan':
    case 'rows':
    case 'external':
    case 'union':
    case 'join':
    case 'topSeries':
      return undefined;
  }
}

/** An aggregation per record that carries the record's columns along: they are the same in all its rows. */
function carrying(plan: AggregatePlan, { record, kept, fresh }: Records): PerRecord {
  const overload = aggregateNamed('take_any')?.overloads[0];
  if (overload === undefined) throw new RangeError('no aggregate take_any');
  const carried: AggregatePlan['aggregates'][number][] = [];
  const renamed = kept.map((field): Field => {
    const readings = field.readings.map(({ id: from, type }) => {
      const id = fresh(field.name);
      carried.push({ id, call: { name: 'take_any', type, overload, args: [{ kind: 'column', type, id: from }] } });
      return { type, id };
    });
    return { name: field.name, readings };
  });
  const groups = [{ id: record, expr: { kind: 'column', type: 'long', id: record } as const }, ...plan.groups];
  return { plan: { ...plan, groups, aggregates: [...plan.aggregates, ...carried] }, kept: renamed };
}
