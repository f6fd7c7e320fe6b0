import { constantText } from '../../plan/scalar.js';
import type { CallExpr, Expr } from '../../syntax/ast.js';
import { conversions } from '../../syntax/literals.js';
import { spelledName } from '../names/spelled-name.js';
import { single } from '../values/coerce.js';
import type { Scope } from '../context.js';
import { bindScalar } from '../context.js';

const bindCall = (call: CallExpr, name: string, args: readonly Expr[]): CallExpr => ({
  ...call,
  callee: { ...call.callee, text: name },
  args: args.map((value) => ({ value })),
});

/**
 * Rewrites calls in Kusto's form, most of them with an additional argument, as equivalent calls.
 */
export function callWithoutMode(call: CallExpr, scope: Scope): CallExpr | undefined {
  const values = call.args.map(({ value }) => value);
  const last = values.at(-1);
  // `extract(regex, 1, text, typeof(long))` is `tolong(extract(regex, 1, text))`.
  if (call.callee.text === 'extract' && values.length === 4 && last?.kind === 'typeof')
    return bindCall(call, conversions[last.type], [bindCall(call, 'extract', values.slice(0, 3))]);
  // `bag_pack_columns(a, b)` is `bag_pack("a", a, "b", b)`.
  if (call.callee.text === 'bag_pack_columns') {
    const { span } = call;
    const nameLiteral = (value: Expr): Expr => ({
      kind: 'literal',
      type: 'string',
      value: spelledName(value) ?? '',
      span,
    });
    return bindCall(
      call,
      'bag_pack',
      values.flatMap((value) => [nameLiteral(value), value]),
    );
  }
  // `floor(value, size)` is the former name of `bin`.
  if (call.callee.text === 'floor' && values.length === 2) return bindCall(call, 'bin', values);
  // `countof(text, search, "regex")` has its text first.
  if (call.callee.text === 'countof' && values.length === 3) {
    const [text, search, mode] = values as [Expr, Expr, Expr];
    const kind = constantText(single(bindScalar(mode, scope)));
    if (kind === 'normal') return bindCall(call, 'countof', [search, text]);
    if (kind === 'regex') return bindCall(call, 'countof_regex', [search, text]);
  }
  return undefined;
}
