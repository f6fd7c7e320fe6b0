import type { Diagnostic } from '../diagnostics.js';
import { parse } from '../syntax/parse.js';
import { layout } from './layout.js';
import { tokensOf } from './place.js';
import { sameTree } from './same-tree.js';

/** A text in canonical form, or unchanged if it has errors; with its diagnostics. */
export interface Formatted {
  readonly text: string;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Writes a query in canonical form: one operator per line, blanks where they help, comments kept.
 * The meaning of the query stays the same, and formatting again changes nothing. A text with errors
 * is returned as it is.
 */
export function format(text: string): Formatted {
  const { program, diagnostics } = parse(text);
  if (diagnostics.some(({ severity }) => severity === 'error')) return { text, diagnostics };
  const formatted = layout(text, program, tokensOf(text));
  // Where a comma or a pipe is missing, line breaks carry meaning. If the new ones change it, the
  // text is left alone.
  const again = parse(formatted);
  return sameTree(program, again.program) ? { text: formatted, diagnostics } : { text, diagnostics };
}
