import { type OperatorName, operators } from './lexing/keywords.js';
import type { Parser } from './parser.js';

export const operatorNames: ReadonlySet<string> = new Set(operators.map(({ name }) => name));

const isOperatorName = (name: string): name is OperatorName => operatorNames.has(name);

/**
 * Maximum number of tokens in a name: four words and the dashes between them, which also covers
 * misspelled names.
 */
const LONGEST = 7;

/** Words joined by dashes without blanks, such as `project-away`, and how many tokens they take. */
export function dashedWordsAt(p: Parser): { readonly text: string; readonly length: number } | undefined {
  if (p.peek().kind !== 'word') return undefined;
  let { text } = p.peek();
  let length = 1;
  while (
    length < LONGEST &&
    p.at('-', length) &&
    p.adjacent(length) &&
    p.peek(length + 1).kind === 'word' &&
    p.adjacent(length + 1)
  ) {
    text += `-${p.peek(length + 1).text}`;
    length += 2;
  }
  return { text, length };
}

/** The operator whose name is next, and how many tokens the name takes. */
export function operatorNameAt(
  p: Parser,
  ahead = 0,
): { readonly name: OperatorName; readonly length: number } | undefined {
  if (ahead > 0) {
    const { kind, text } = p.peek(ahead);
    return kind === 'word' && isOperatorName(text) ? { name: text, length: 1 } : undefined;
  }
  const words = dashedWordsAt(p);
  return words !== undefined && isOperatorName(words.text) ? { name: words.text, length: words.length } : undefined;
}
