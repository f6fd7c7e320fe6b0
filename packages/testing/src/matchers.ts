import { checkLogged, checkSpan, type Outcome } from './matcher.js';
import type { MatchOptions } from './options.js';
import type { LogPattern } from './pattern.js';
import type { SpanPattern } from './spans.js';

/** Matchers of `expect`, for vitest and jest. They wait, so they need `await`. */
export interface MillraceMatchers<R = Promise<void>> {
  /** Waits until a server or dataset has an event, not a span, with these fields. */
  toHaveLogged(pattern: LogPattern, options?: MatchOptions): R;
  /** Waits until a server or dataset has a span with these fields. */
  toHaveSpan(pattern: SpanPattern, options?: MatchOptions): R;
}

interface Context {
  readonly isNot?: boolean;
}

export const matchers = {
  toHaveLogged(this: Context, received: unknown, pattern: LogPattern, options?: MatchOptions): Promise<Outcome> {
    return checkLogged(received, pattern, options, this.isNot);
  },
  toHaveSpan(this: Context, received: unknown, pattern: SpanPattern, options?: MatchOptions): Promise<Outcome> {
    return checkSpan(received, pattern, options, this.isNot);
  },
};
