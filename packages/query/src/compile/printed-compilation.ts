import { type CompiledQuery, mappedQueries } from '@millrace/apl';
import { printedParts, printQuery } from '@millrace/sql';
import type { Compilation } from './compiler-messages.js';

/** Characters of a statement that is printed where it is run: some milliseconds. */
const longest = 128 * 1024;

/**
 * A compilation for transfer between threads. Long statements are sent as text, so that copying and
 * printing them does not block other requests.
 */
export function printedCompilation(compilation: Compilation): Compilation {
  switch (compilation.kind) {
    case 'compiled':
      return printedQueries(compilation);
    case 'asks':
      return { ...compilation, question: printedQueries(compilation.question) };
    default:
      return compilation;
  }
}

function printedQueries(compiled: CompiledQuery): CompiledQuery {
  if (printQuery(compiled.query).length <= longest) return compiled;
  return mappedQueries(compiled, printedParts);
}
