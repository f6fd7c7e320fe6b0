import type { Fix } from '../../syntax/diagnostic-sink.js';
import type { Span } from '../../syntax/ast.js';
import { textOfLiteral } from '../values/literal-text.js';
import { sourceText, spelledName } from '../names/spelled-name.js';
import type { BoundArgument } from './calls.js';

/**
 * Suggests the call with two arguments swapped, as in `percentile(95, a)`: one that must be
 * constant and one that is. Undefined if no argument is constant, or one of them cannot be printed.
 */
export function otherOrder(name: string, args: readonly BoundArgument[], place: number, span: Span): Fix | undefined {
  const constant = args.findIndex(({ expr }, i) => i !== place && expr?.kind === 'literal');
  const texts = args.map(writtenText);
  const [wrong, value] = [texts[place], texts[constant]];
  if (wrong === undefined || value === undefined || texts.includes(undefined)) return undefined;
  // The arguments of a call that is written as another one are not those in the text.
  if (args[0]?.span.start !== span.start + name.length + 1) return undefined;
  const replacement = `${name}(${texts.with(place, value).with(constant, wrong).join(', ')})`;
  return { title: `Write ${replacement}`, replacement };
}

function writtenText({ expr, value: [scalar] }: BoundArgument): string | undefined {
  const path = expr && spelledName(expr);
  if (path !== undefined) return sourceText(path);
  const isNumber = scalar.kind === 'constant' && (scalar.type === 'long' || scalar.type === 'real');
  return expr?.kind === 'literal' && isNumber ? textOfLiteral(scalar) : undefined;
}
