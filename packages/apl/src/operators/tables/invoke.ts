import type { Argument } from '../../syntax/ast.js';
import type { LetValue } from '../../bind/context.js';
import type { BindOperator } from '../define.js';

/** Name of the previous rows as an argument. No query can contain such a name. */
const ROWS = '\0rows';

/** `invoke f(…)`: calls a function of the query, with the rows so far as its first argument. */
export const bindInvoke: BindOperator<'invoke'> = ({ callee, args, span }, input, context) => {
  const name = { text: ROWS, quoted: true, span };
  const rows: Argument = { value: { kind: 'name', name, span } };
  const lets = new Map<string, LetValue>(context.lets);
  lets.set(ROWS, { kind: 'table', bind: (at) => context.query.copyOf(input, at) });
  return context.bindPipeline(
    { kind: 'pipeline', source: { kind: 'call', callee, args: [rows, ...args], span }, operators: [], span },
    lets,
  );
};
