import type { Span } from '@millrace/apl/positions';

/** The text is no valid query. The message begins with line and column. */
export class ParseProblem extends Error {
  constructor(text: string, { start }: Pick<Span, 'start'>, message: string) {
    const before = text.slice(0, start).split('\n');
    super(`${before.length}:${before.at(-1)!.length + 1}: parse error: ${message}`);
  }
}

/** A valid query cannot be evaluated over its data. */
export class EvaluationProblem extends Error {}
