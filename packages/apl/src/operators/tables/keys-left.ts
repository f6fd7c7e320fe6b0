import { inMaps } from '../../bind/names/in-maps.js';
import type { Plan } from '../../plan/nodes.js';
import type { Span } from '../../syntax/ast.js';
import type { OperatorContext } from '../define.js';

/**
 * Warns that an operator which takes a field as a column ignores the field's values in map fields.
 */
export function warnOfKeysLeft(
  { text, span }: { readonly text: string; readonly span: Span },
  help: string,
  input: Plan,
  context: OperatorContext,
): void {
  if (inMaps([{ text, quoted: true, span }], context.scalarScope(input.schema)) === undefined) return;
  const problem = `events have ${text} also as a key of a map field, which is not meant here`;
  context.query.report.warning('unsupported', span, `${problem}; ${help}`);
}
