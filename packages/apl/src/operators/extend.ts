import { bindColumn, project } from './columns.js';
import type { BoundColumn } from './columns.js';
import type { BindOperator } from './define.js';
import { checkDifferent, otherName } from './different-names.js';
import { validOrNull } from './extend-valid.js';
import { addedNames } from './generated-names.js';
import { eachValue } from './grouping/multiple-values.js';

/**
 * `extend a = E, …`: all expressions see the incoming row; a column of the same name is replaced,
 * and every new column goes to the end. `extend-valid` keeps only meaningful values (see
 * `validOrNull`).
 */
export const bindExtend: BindOperator<'extend'> = ({ columns: written, valid }, input, context) => {
  const columns = eachValue(written, context.query, input.schema);
  const added = new Map<string, BoundColumn>();
  const scope = { ...context.scalarScope(input.schema), siblings: added };
  const names = addedNames(
    columns,
    input.schema.fields.map((field) => field.name),
  );
  for (const [i, column] of columns.entries()) {
    const name = names[i]!.text;
    const bound = bindColumn(column, name, scope);
    added.set(name, valid ? validOrNull(bound, name, scope) : bound);
  }
  checkDifferent(names, context, otherName);
  const kept = input.schema.fields.filter((field) => !added.has(field.name));
  const columnsAdded = [...added.values()];
  return project(
    input,
    [...kept, ...columnsAdded.map((c) => c.field)],
    columnsAdded.flatMap((c) => c.computed),
  );
};
