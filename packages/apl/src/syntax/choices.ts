import type { Name } from './ast.js';
import { parseName } from './names.js';
import type { Parser } from './parser.js';

/**
 *     choice = word "=" WORD
 *
 * Parses an option whose value is one word from a list, such as `kind=inner`. `choices` maps each
 * word to its meaning.
 */
export function parseChoice<T>(p: Parser, option: string, choices: ReadonlyMap<string, T>): T | undefined {
  if (!p.at('=', 1) || !atOption(p, option)) return undefined;
  p.take();
  p.take();
  const token = p.peek();
  if (token.kind !== 'word' && token.kind !== 'string') {
    p.reportUnexpected(`one of ${[...choices.keys()].join(', ')} after ${option}=`);
    return undefined;
  }
  p.take();
  const written = token.kind === 'string' ? String(token.value) : token.text;
  const chosen = choices.get(written);
  if (chosen !== undefined) return chosen;
  const names = [...choices.keys()];
  // Others shorten them: `left` for `leftouter`.
  const meant = p.findNearest(written, names) ?? names.find((name) => name.startsWith(written.toLowerCase()));
  const message =
    meant?.toLowerCase() === written.toLowerCase()
      ? `${option}=${written} is written ${option}=${meant}`
      : `${option}=${written} does not exist; there is ${names.join(', ')}`;
  const fix = meant === undefined ? undefined : { title: `Write ${meant}`, replacement: meant };
  p.error(p.spanFrom(token.start), message, fix);
  return meant === undefined ? undefined : choices.get(meant);
}

/** Whether the next word names the option; reports one in another case, which it is read as. */
function atOption(p: Parser, option: string): boolean {
  const { text, kind } = p.peek();
  if (kind !== 'word' || text.toLowerCase() !== option) return false;
  if (text !== option)
    p.error(p.here(), `${text} is written ${option}`, { title: `Write ${option}`, replacement: option });
  return true;
}

/**
 *     assigned-name = word "=" name
 */
export function parseNameOption(p: Parser, ...options: readonly string[]): Name | undefined {
  if (!options.some((option) => p.at(option)) || !p.at('=', 1)) return undefined;
  p.take();
  p.take();
  return parseName(p, 'a name for the column');
}
