import type { Report } from '../report.js';
import type { Argument, Expr } from '../syntax/ast.js';

/**
 * The arguments of a call by the place of their parameter: those with a name at that of the name, the others in order from the first. What is more
 * than there are parameters follows. Undefined after reporting a name that is unknown or a parameter that is given twice.
 */
export function placedArguments(
  callee: string,
  args: readonly Argument[],
  params: readonly string[],
  report: Report,
): readonly (Expr | undefined)[] | undefined {
  const placed: (Expr | undefined)[] = params.map(() => undefined);
  let next = 0;
  for (const { name, value } of args) {
    const place = name === undefined ? next++ : params.indexOf(name.text);
    const span = name?.span ?? value.span;
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
