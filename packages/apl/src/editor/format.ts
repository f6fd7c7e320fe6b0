import type { Diagnostic } from '../diagnostics.js';
import { parse } from '../syntax/parse.js';
import { layout } from './layout.js';
import { tokensOf } from './place.js';
import { sameTree } from './same-tree.js';

/** A text in canonical form, or as it was with what is wrong with it. */
export interface Formatted {
  readonly text: string;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Writes a query in canonical form: one operator a line, blanks where they help, comments kept. Formatting twice changes nothing more, and
 * the query means what it meant; a text that cannot be read without errors is given back as it is.
 */
export function format(text: string): Formatted {
  const { program, diagnostics } = parse(text);
  if (diagnostics.some(({ severity }) => severity === 'error')) return { text, diagnostics };
  const formatted = layout(text, program, tokensOf(text));
  // Lines carry meaning where a comma or a pipe was left out: what was not written down is better left alone.
  const again = parse(formatted);
  return sameTree(program, again.program) ? { text: formatted, diagnostics } : { text, diagnostics };
}
