import { apply } from '../bind/calls/calls.js';
import { functionNamed } from '../functions/index.js';
import type { Plan } from '../plan/nodes.js';
import type { Field } from '../plan/schema.js';
import { fieldNamed } from '../plan/schema.js';
import { columnOf } from '../plan/scalar.js';
import { ascendingKey, inDefaultOrder } from '../plan/sort-key.js';
import { project } from './columns.js';
import type { Operator, Span } from '../syntax/ast.js';
import type { BindOperator } from './define.js';
import { bindMvExpand } from './mv-expand.js';
import { overRows } from './tables/over-rows.js';
import { perRecord } from './parse/per-record.js';

/**
 * `mv-apply [kind=…] x = a to typeof(T) on (where … | top … | summarize …)`: the body runs over the
 * elements of each record separately. Limits and aggregations in it are per record; the record's
 * columns come before those of the body, which may give them other values. A record without
 * elements gives no row, as in `mv-expand`; one whose elements are all dropped still gives the one
 * row of `summarize` without groups.
 */
export const bindMvApply: BindOperator<'mv-apply'> = (operator, input, context): Plan => {
  const { query } = context;
  // Records are identified by their row number.
  const record = query.fresh('record');
  const rowNumber = functionNamed('row_number')?.overloads[0];
  if (rowNumber === undefined) throw new RangeError('no function row_number');
  const numbered: Plan = {
    ...project(input, input.schema.fields, [{ id: record, expr: apply('row_number', rowNumber, [], query) }]),
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
  const bound = overRows(body, () => visible, span, context);
  const kept = input.schema.fields.filter((field) => sameColumns(field, fieldNamed(visible.schema, field.name)));
  const result = perRecord(bound, visible, { record, type: 'long', kept, context });
  if (result === undefined) {
    const { at, reason } = misfitIn(body, span, 'mv-apply');
    const message = `the body of mv-apply may filter, compute, sort, limit and summarize, ${reason}`;
    query.report.error('unsupported', at, message);
    return input;
  }
  const own = new Set(result.kept.map((field) => field.name));
  const ordered = inDefaultOrder(result.plan, [ascendingKey(columnOf({ type: 'long', id: record }))]);
  // A column that the body computes under the name of an existing one replaces it, as with
  // `extend`.
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

/** The first operator of a body that cannot run over each record, and why. */
export function misfitIn(
  body: readonly Operator[],
  span: Span,
  of: 'mv-apply' | 'partition',
): { readonly at: Span; readonly reason: string } {
  for (const operator of body) {
    const reason = whyNot(operator, of);
    if (reason !== undefined) return { at: operator.span, reason };
  }
  return { at: span, reason: 'but not read other tables' };
}

/** Why an operator cannot run over the elements of each record, undefined if it can. */
function whyNot(operator: Operator, of: 'mv-apply' | 'partition'): string | undefined {
  switch (operator.kind) {
    case 'top-nested':
      return operator.levels.length > 1 || operator.levels.some((level) => level.withOthers !== undefined)
        ? 'but top-nested can have only one level there and no others; write summarize … by for each level, and top'
        : undefined;
    case 'getschema':
      return of === 'mv-apply'
        ? 'but not getschema, which reads no rows; write it without mv-apply, after mv-expand'
        : 'but not getschema, which reads no rows; write it without partition';
    case 'join':
    case 'lookup':
    case 'union':
      return `but not ${operator.kind}, which reads another table; write it before or after ${of}`;
    default:
      return undefined;
  }
}
