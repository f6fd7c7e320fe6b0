import { convertTo, single } from '../bind/values/coerce.js';
import { bindScalar } from '../bind/context.js';
import { toType } from '../bind/values/to-type.js';
import type { ComputedColumn, ExpandPlan, Plan } from '../plan/nodes.js';
import type { Field } from '../plan/schema.js';
import { fieldNamed, withoutRowId } from '../plan/schema.js';
import { columnOf } from '../plan/scalar.js';
import { typeNameOf } from '../model/result-types.js';
import { isDynamic } from '../model/types.js';
import { project } from './columns.js';
import type { BindOperator } from './define.js';
import { checkDifferent, otherName } from './different-names.js';
import { namesOf } from './generated-names.js';
import { rowCount } from './grouping/row-count.js';

/**
 * `mv-expand [kind=…] [with_itemindex=i] a [to typeof(T)], b [limit n]`: a row for each element;
 * several columns are expanded in step, the shorter padded with null. An empty array gives no row,
 * null gives one row with null.
 */
export const bindMvExpand: BindOperator<'mv-expand'> = (
  { columns, bag, kindGiven, itemIndex, limit },
  input,
  context,
): Plan => {
  const { query } = context;
  const scope = context.scalarScope(input.schema);
  const arrays: ExpandPlan['arrays'][number][] = [];
  const converts: ComputedColumn[] = [];
  let fields: readonly Field[] = input.schema.fields;
  const place = (field: Field): void => {
    const replaced = fieldNamed({ fields }, field.name);
    fields = replaced === undefined ? [...fields, field] : fields.map((f) => (f === replaced ? field : f));
  };
  const elements: Field[] = [];
  const names = namesOf(
    columns,
    itemIndex === undefined ? [] : [itemIndex.text],
    input.schema.fields.map((field) => field.name),
  );
  checkDifferent(itemIndex === undefined ? names : [...names, itemIndex], context, otherName);
  for (const [i, column] of columns.entries()) {
    const name = names[i]!.text;
    const value = single(bindScalar(column.value, scope));
    if (!isDynamic(value.type)) {
      const message = `mv-expand needs an array or object, but this is ${typeNameOf([value.type])}`;
      query.report.warning('type_mismatch', column.value.span, message);
    }
    if (value.type === 'bag' && kindGiven !== true)
      query.report.warning(
        'note',
        column.value.span,
        'an object gives pairs [key, value], as in Axiom; kind=bag gives objects of one key, as in Kusto',
      );
    const id = query.fresh(name);
    arrays.push({ id, expr: convertTo(value, 'dynamic') });
    elements.push({ name: id, readings: [{ type: 'dynamic', id }] });
    if (column.to === undefined) {
      place({ name, readings: [{ type: 'dynamic', id }] });
      continue;
    }
    const typed = toType(columnOf({ type: 'dynamic', id }), column.to, column.span, query);
    const typedId = query.fresh(name);
    converts.push({ id: typedId, expr: typed });
    place({ name, readings: [{ type: column.to, id: typedId }] });
  }
  const index = itemIndex === undefined ? undefined : query.fresh(itemIndex.text);
  if (itemIndex !== undefined && index !== undefined)
    place({ name: itemIndex.text, readings: [{ type: 'long', id: index }] });
  const count = limit === undefined ? undefined : rowCount(limit, 'limit of mv-expand', context);
  const indexField: readonly Field[] =
    index === undefined ? [] : [{ name: index, readings: [{ type: 'long', id: index }] }];
  const expanded: ExpandPlan = {
    kind: 'expand',
    // Not events any more, but each row has all that its event had.
    schema: { ...withoutRowId(input.schema), fields: [...input.schema.fields, ...elements, ...indexField] },
    input,
    arrays,
    bag,
    ...(index === undefined ? {} : { index }),
    ...(count === undefined ? {} : { limit: count }),
  };
  return project(expanded, fields, converts);
};
