import { scalarOperator } from '../../../functions/operators/index.js';
import { apply } from '../../../bind/calls/calls.js';
import { columnsIn, constant } from '../../../plan/scalar.js';
import type { Scalar } from '../../../plan/scalar.js';
import type { Plan } from '../../../plan/nodes.js';
import type { Field } from '../../../plan/schema.js';
import { fieldOf, project } from '../../columns.js';
import type { PluginContext } from '../define.js';

/** Rows with their weight as the columns `$a` and `$b`, one for each set. */
export function weightRows(
  input: Plan,
  { a, b }: { readonly a: Scalar; readonly b: Scalar },
  context: PluginContext,
): Plan {
  const scope = context.scalarScope(input.schema);
  const columns = [fieldOf('$a', [a], scope), fieldOf('$b', [b], scope)];
  return project(
    input,
    [...input.schema.fields, ...columns.map(({ field }) => field)],
    columns.flatMap(({ computed }) => computed),
  );
}

export const noWeight: Scalar = constant('long', 0n);
export const oneEach: Scalar = constant('long', 1n);

/** The columns in which patterns are sought: all but the ones of arguments. */
export function patternFields(input: Plan, used: readonly Scalar[]): readonly Field[] {
  const read = columnsIn(used);
  return input.schema.fields.filter(({ readings }) => readings.every(({ id }) => !read.has(id)));
}

/** Whether a text equals a constant. */
export const isText = (text: Scalar, value: string, context: PluginContext): Scalar =>
  apply('==', scalarOperator('==').overloads[0]!, [text, constant('string', value)], context.query);
