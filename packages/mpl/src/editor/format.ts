import { sameTree } from '@millrace/apl/positions';
import { type Diagnostic, DiagnosticSink } from '../model/diagnostics.js';
import { lex } from '../syntax/lexer.js';
import { parse } from '../syntax/parse.js';
import { layout } from './layout.js';

/** A text in canonical form, or unchanged if it has errors; with its diagnostics. */
export interface FormattedMpl {
  readonly text: string;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Formats a query canonically: one step per line, blanks where they help, comments retained. The
 * meaning of the query does not change, and formatting is idempotent. A text with errors is
 * returned unchanged.
 */
export function format(text: string): FormattedMpl {
  const { file, sink } = parse(text);
  const diagnostics = sink.inOrder();
  if (sink.failed) return { text, diagnostics };
  const formatted = layout(text, lex(text, new DiagnosticSink()));
  return sameTree(file, parse(formatted).file) ? { text: formatted, diagnostics } : { text, diagnostics };
}
