import { compile, type CompileOptions, compileProgram, type Failed } from '@millrace/apl';
import type { Compilation, Source } from './compiler-messages.js';

/**
 * Compiles a text or a tree, in whichever thread this is. What is nested too deeply for the stack
 * is the fault of the query.
 */
export function compileSource(source: Source, options: CompileOptions): Compilation {
  try {
    return source.kind === 'text' ? compile(source.text, options) : compileProgram(source.tree, options);
  } catch (error) {
    if (error instanceof RangeError && error.message.includes('call stack'))
      return tooMuch(source, 'the query is nested too deeply; divide it with let or extend');
    throw error;
  }
}

/** A query that is more than can be compiled. */
export function tooMuch(source: Source, message: string): Failed {
  const span = source.kind === 'text' ? { start: 0, end: source.text.length } : source.tree.span;
  return { kind: 'failed', diagnostics: [{ severity: 'error', code: 'limit', message, span }] };
}
