import { bindColumn, impliedName, project } from './columns.js';
import type { BoundColumn } from './columns.js';
import type { BindOperator } from './define.js';
import { withoutRest } from '../plan/schema.js';

/** `project a, b = E`: just these columns, in this order. Unnamed expressions are Column1, Column2 …; the last of a name wins. */
export const bindProject: BindOperator<'project'> = ({ columns }, input, context) => {
  const scope = context.scalarScope(input.schema);
  const bound = new Map<string, BoundColumn>();
  for (const [i, column] of columns.entries()) {
    const name = column.name?.text ?? impliedName(column.value) ?? `Column${i + 1}`;
    if (bound.has(name))
      context.query.report.error('name', column.span, `there are two columns ${name}; name one of them: other = …`);
    bound.set(name, bindColumn(column, name, scope));
  }
  const all = [...bound.values()];
  const projected = project(
    input,
    all.map((c) => c.field),
    all.flatMap((c) => c.computed),
  );
  return { ...projected, schema: withoutRest(projected.schema) };
};
