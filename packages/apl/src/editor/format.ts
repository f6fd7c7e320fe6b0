import type { Diagnostic } from '../model/diagnostics.js';
import { parse } from '../syntax/parse.js';
import { layout } from './layout.js';
import { tokensOf } from './place.js';
import { sameTree } from './same-tree.js';

/** A text in canonical form, or unchanged if it has errors; with its diagnostics. */
export interface FormatResult {
  readonly text: string;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Formats a query canonically: one operator per line, blanks where they help, comments retained.
 * The meaning of the query does not change, and formatting is idempotent. A text with errors is
 * returned unchanged.
 */
export function format(text: string): FormatResult {
  const { program, diagnostics } = parse(text);
  if (diagnostics.some(({ severity }) => severity === 'error')) return { text, diagnostics };
  const formatted = layout(text, program, tokensOf(text));
  // Where a comma or a pipe is missing, line breaks carry meaning. If the new ones change it, the
  // text is returned unchanged.
  const again = parse(formatted);
  return sameTree(program, again.program) ? { text: formatted, diagnostics } : { text, diagnostics };
}
