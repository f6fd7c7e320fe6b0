import type { Span } from '@millrace/apl/positions';

/** The text is no valid query, or not a supported one. The message begins with line and column. */
export class LogqlProblem extends Error {
  constructor(text: string, { start }: Pick<Span, 'start'>, message: string) {
    const before = text.slice(0, start).split('\n');
    super(`parse error at line ${before.length}, col ${before.at(-1)!.length + 1}: ${message}`);
  }
}
