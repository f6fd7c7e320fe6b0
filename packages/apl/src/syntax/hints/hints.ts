import type { Parser } from '../parser.js';

/** Kusto's hints about how an operator runs. */
const HINTS: ReadonlySet<string> = new Set(
  `strategy remote shufflekey num_partitions concurrency spread materialized pass_filters pass_filters_column
   progressive_top`.split(/\s+/),
);

/**
 *     hints = { "hint" "." WORD "=" ( WORD | literal ) }
 *
 * Hints change no result, so they are reported and skipped.
 */
export function skipHints(p: Parser): void {
  while (p.at('hint') && p.at('.', 1) && HINTS.has(p.peek(2).text) && p.at('=', 3)) {
    const { start } = p.peek();
    for (let taken = 0; taken < 5; taken++) p.take();
    const span = p.spanFrom(start);
    p.warning(span, 'hints have no effect', { title: 'Remove the hint', replacement: '' });
  }
}
