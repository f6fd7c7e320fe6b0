import type { Report } from '../../report.js';
import type { Argument, Expr } from '../../syntax/ast.js';

/**
 * The arguments of a call by the place of their parameter: those with a name at that of the name,
 * the others at their own, so each that follows one out of its place has to have a name. What is
 * more than there are parameters follows. Undefined after reporting what is wrong.
 */
export function placedArguments(
  callee: string,
  args: readonly Argument[],
  params: readonly string[],
  report: Report,
): readonly (Expr | undefined)[] | undefined {
  const placed: (Expr | undefined)[] = params.map(() => undefined);
  let moved: string | undefined;
  for (const [i, { name, value }] of args.entries()) {
    const place = name === undefined ? i : params.indexOf(name.text);
    const span = name?.span ?? value.span;
    if (name === undefined && moved !== undefined) {
      report.error(
        'argument_count',
        span,
        `an argument of ${callee} that follows ${moved}, which is not in its place, needs its name too`,
      );
      return undefined;
    }
    if (place !== i) moved ??= name?.text;
    if (place < 0) {
      report.error(
        'argument_count',
        span,
        `${callee} has no argument ${name?.text}; it has ${params.join(', ') || 'none'}`,
      );
      return undefined;
    }
    if (placed[place] !== undefined) {
      report.error('argument_count', span, `the argument ${params[place]} of ${callee} is given twice`);
      return undefined;
    }
    placed[place] = value;
  }
  return placed;
}
