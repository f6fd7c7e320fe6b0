import type { Report } from '../../report.js';
import type { Argument, Expr } from '../../syntax/ast.js';

/**
 * Arguments of a call in the order of its parameters: a named argument goes to the parameter of
 * that name, others to their own position. After a named argument that is out of order, all
 * arguments need names. Surplus arguments follow at the end. Reports an error and returns undefined
 * if the arguments are invalid.
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

/** Message for a named argument of a function that has only positional arguments. */
export const withoutNames = (callee: string): string =>
  `${callee} takes its arguments by position: the name of this one has no effect on it`;
