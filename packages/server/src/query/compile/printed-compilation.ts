import { type Compiled, mappedQueries } from '@millrace/apl';
import { printedParts, printQuery } from '@millrace/sql';
import type { Compilation } from './compiler-messages.js';

/** Characters of a statement that is printed where it is run: some milliseconds. */
const longest = 128 * 1024;

/**
 * A compilation on its way from a thread. Long statements go as text, which others neither wait for
 * while it is copied nor while it is printed.
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

function printedQueries(compiled: Compiled): Compiled {
  if (printQuery(compiled.query).length <= longest) return compiled;
  return mappedQueries(compiled, printedParts);
}
