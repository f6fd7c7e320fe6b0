import { impliedName, bindColumn, project } from './columns.js';
import type { BoundColumn } from './columns.js';
import type { BindOperator } from './define.js';
import { validOrNull } from './extend-valid.js';

/**
 * `extend a = E, …`: all see the incoming row; a name that exists is replaced, and every new column goes to the end.
 * `extend-valid` keeps only values that say something.
 */
export const bindExtend: BindOperator<'extend'> = ({ columns, valid }, input, context) => {
  const added = new Map<string, BoundColumn>();
  const scope = { ...context.scalarScope(input.schema), siblings: added };
  for (const column of columns) {
    const name = column.name?.text ?? impliedName(column.value) ?? freeName(added);
    const bound = bindColumn(column, name, scope);
    added.delete(name);
    added.set(name, valid ? validOrNull(bound, name, scope) : bound);
  }
  const kept = input.schema.fields.filter((field) => !added.has(field.name));
  const columnsAdded = [...added.values()];
  return project(
    input,
    [...kept, ...columnsAdded.map((c) => c.field)],
    columnsAdded.flatMap((c) => c.computed),
  );
};

function freeName(added: ReadonlyMap<string, unknown>): string {
  let i = 1;
  while (added.has(`Column${i}`)) i++;
  return `Column${i}`;
}
