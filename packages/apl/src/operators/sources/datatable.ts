import { convertTo, converts, fit, single } from '../../bind/values/coerce.js';
import { textOf } from '../../bind/values/convert-text.js';
import { bindScalar } from '../../bind/context.js';
import { emptyPlan } from '../../plan/empty-plan.js';
import { typeLabel } from '../../bind/values/type-label.js';
import type { Plan } from '../../plan/nodes.js';
import { constant, isNull } from '../../plan/scalar.js';
import type { Bound, Scalar } from '../../plan/scalar.js';
import type { TableSource, TypeName } from '../../syntax/ast.js';
import { parseDatetime } from '../../syntax/lexing/datetime.js';
import type { OperatorContext } from '../define.js';
import { checkDifferent } from '../different-names.js';

/**
 * `datatable (a: long, b) [1, "x", …]`: literal rows, cell by cell. Columns without a type are
 * strings.
 */
export function bindDatatable(source: Extract<TableSource, { kind: 'datatable' }>, context: OperatorContext): Plan {
  const { report } = context.query;
  const columns = source.columns.map(({ name, type = 'string' }) => ({
    name: name.text,
    type,
    id: context.query.fresh(name.text),
  }));
  checkDifferent(
    source.columns.map(({ name }) => name),
    context,
  );
  const width = columns.length;
  if (width === 0) return emptyPlan;
  if (source.cells.length % width !== 0) {
    const missing = width - (source.cells.length % width);
    report.error('argument_count', source.span, `the last row lacks ${missing} of ${width} cells`);
    return emptyPlan;
  }
  const scope = context.constantScope;
  const rows: Scalar[][] = [];
  for (const [i, cell] of source.cells.entries()) {
    const { name, type } = columns[i % width]!;
    const value = bindScalar(cell, scope);
    const scalar = asCell(value, type);
    if (scalar === undefined)
      report.error(
        'type_mismatch',
        cell.span,
        `column ${name} is ${type}, but this is ${typeLabel(single(value).type)}`,
      );
    if (i % width === 0) rows.push([]);
    rows.at(-1)!.push(scalar ?? constant(type, null));
  }
  const fields = columns.map(({ name, type, id }) => ({ name, readings: [{ type, id }] }));
  return { kind: 'rows', schema: { fields }, columns, rows };
}

function asCell(value: Bound, type: TypeName): Scalar | undefined {
  const scalar = single(value);
  if (isNull(scalar)) return constant(type, null);
  if (type === 'string') return textOf(value);
  if (type === 'datetime' && scalar.kind === 'constant' && typeof scalar.value === 'string') {
    const time = parseDatetime(scalar.value);
    return time === undefined ? undefined : constant('datetime', time);
  }
  if (type === 'timespan' && scalar.type === 'long' && scalar.kind === 'constant')
    return constant('timespan', scalar.value);
  return fit(value, type)?.scalar ?? (converts(scalar.type, type) ? convertTo(scalar, type) : undefined);
}
