import { bindColumn, project } from './columns.js';
import type { BoundColumn } from './columns.js';
import type { BindOperator } from './define.js';
import { checkDifferent, otherName } from './different-names.js';
import { namesOf } from './generated-names.js';
import { eachValue } from './grouping/multiple-values.js';
import { withoutRest } from '../plan/schema.js';

/**
 * `project a, b = E`: only these columns, in this order. Unnamed expressions become Column1,
 * Column2 ….
 */
export const bindProject: BindOperator<'project'> = ({ columns: written }, input, context) => {
  const columns = eachValue(written, context.query, input.schema);
  const scope = context.scalarScope(input.schema);
  const bound = new Map<string, BoundColumn>();
  const names = namesOf(columns);
  checkDifferent(names, context, otherName);
  for (const [i, { text: name }] of names.entries()) bound.set(name, bindColumn(columns[i]!, name, scope));
  const all = [...bound.values()];
  const projected = project(
    input,
    all.map((c) => c.field),
    all.flatMap((c) => c.computed),
  );
  return { ...projected, schema: withoutRest(projected.schema) };
};
