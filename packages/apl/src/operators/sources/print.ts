import type { Plan } from '../../plan/nodes.js';
import type { TableSource } from '../../syntax/ast.js';
import { bindColumn, project } from '../columns.js';
import type { BoundColumn } from '../columns.js';
import type { OperatorContext } from '../define.js';
import { checkDifferent } from '../different-names.js';
import { printedNames } from '../generated-names.js';
import { eachValue } from '../grouping/multiple-values.js';

/**
 * `print a = E, F`: one row; unnamed columns are print_0, print_1 … by position, or by the next
 * number that is free.
 */
export function bindPrint(source: Extract<TableSource, { kind: 'print' }>, context: OperatorContext): Plan {
  const oneRow: Plan = { kind: 'rows', schema: { fields: [] }, columns: [], rows: [[]] };
  const scope = context.constantScope;
  const columns = new Map<string, BoundColumn>();
  const written = eachValue(source.columns, context.query, oneRow.schema);
  const names = printedNames(written);
  checkDifferent(names, context);
  for (const [i, { text: name }] of names.entries()) columns.set(name, bindColumn(written[i]!, name, scope));
  const all = [...columns.values()];
  return project(
    oneRow,
    all.map((c) => c.field),
    all.flatMap((c) => c.computed),
  );
}
