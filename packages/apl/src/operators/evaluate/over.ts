import { parse } from '../../syntax/parse.js';
import type { Plan } from '../../plan/nodes.js';
import type { Lets } from '../../bind/context.js';
import type { OperatorContext } from '../define.js';

/** The name of the table that operators written as text read; no table of a user can have it. */
const INPUT = '$input';

/** Binds operators written in the language itself over a plan; they may read `tables` as well. */
export function over(
  plan: Plan,
  operators: string,
  context: OperatorContext,
  tables: Readonly<Record<string, Plan>> = {},
): Plan {
  const { program } = parse(`['${INPUT}'] | ${operators}`);
  if (program.query === undefined) throw new RangeError(`no operators: ${operators}`);
  const all = Object.entries({ ...tables, [INPUT]: plan });
  const lets: Lets = new Map(all.map(([name, table]) => [name, { kind: 'table', bind: () => table }]));
  return context.bindPipeline(program.query, lets);
}
