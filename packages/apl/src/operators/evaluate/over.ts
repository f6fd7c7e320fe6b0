import { parse } from '../../syntax/parse.js';
import type { Plan } from '../../plan/nodes.js';
import type { Scalar } from '../../plan/scalar.js';
import type { Lets, LetValue } from '../../bind/context.js';
import type { OperatorContext } from '../define.js';

/** The name of the table that operators written as text read; no table of a user can have it. */
const INPUT = '$input';

/**
 * Binds operators written in the language itself over a plan; they may read `tables` and `values`
 * as well.
 */
export function bindOperators(
  plan: Plan,
  operators: string,
  context: OperatorContext,
  tables: Readonly<Record<string, Plan>> = {},
  values: Readonly<Record<string, Scalar>> = {},
): Plan {
  const { program } = parse(`['${INPUT}'] | ${operators}`);
  if (program.query === undefined) throw new RangeError(`no operators: ${operators}`);
  const all = Object.entries({ ...tables, [INPUT]: plan });
  const lets: Lets = new Map<string, LetValue>([
    ...all.map(([name, table]) => [name, { kind: 'table', bind: () => table }] as const),
    ...Object.entries(values).map(([name, value]) => [name, { kind: 'scalar', value: [value] }] as const),
  ]);
  return context.bindPipeline(program.query, lets);
}
