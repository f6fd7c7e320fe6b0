/** Assertions for `node:test` and any other runner. */
import { AssertionError } from 'node:assert';
import { checkLogged, checkSpan, type Outcome } from './matcher.js';
import type { Dataset, Millrace } from './millrace.js';
import type { MatchOptions } from './options.js';
import type { LogPattern } from './pattern.js';
import type { SpanPattern } from './spans.js';

type SearchTarget = Millrace | Dataset;

/**
 * Waits until a server or dataset has an event, not a span, with these fields.
 * @throws AssertionError that shows the nearest events
 */
export async function assertLogged(searched: SearchTarget, pattern: LogPattern, options?: MatchOptions): Promise<void> {
  assert(assertLogged, await checkLogged(searched, pattern, options), true);
}

/**
 * Waits for the option `settle`.
 * @throws AssertionError if an event, not a span, has these fields
 */
export async function assertNotLogged(
  searched: SearchTarget,
  pattern: LogPattern,
  options?: MatchOptions,
): Promise<void> {
  assert(assertNotLogged, await checkLogged(searched, pattern, options, true), false);
}

/**
 * Waits until a server or dataset has a span with these fields.
 * @throws AssertionError that shows the nearest spans
 */
export async function assertSpan(searched: SearchTarget, pattern: SpanPattern, options?: MatchOptions): Promise<void> {
  assert(assertSpan, await checkSpan(searched, pattern, options), true);
}

/**
 * Waits for the option `settle`.
 * @throws AssertionError if a span has these fields
 */
export async function assertNoSpan(
  searched: SearchTarget,
  pattern: SpanPattern,
  options?: MatchOptions,
): Promise<void> {
  assert(assertNoSpan, await checkSpan(searched, pattern, options, true), false);
}

function assert(assertion: (...args: never) => unknown, { pass, message }: Outcome, expected: boolean): void {
  if (pass !== expected)
    throw new AssertionError({ message: message(), operator: assertion.name, stackStartFn: assertion });
}

export * from './index.js';
