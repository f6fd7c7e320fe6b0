import {
  type Ast,
  compile,
  type CompileOptions,
  compileProgram,
  type CompileFailure,
  parseExpression,
} from '@millrace/apl';
import type { Compilation, Source } from './compiler-messages.js';

/**
 * Compiles a text or a tree in the current thread. Nesting that overflows the stack is reported as
 * an error of the query.
 */
export function compileSource(source: Source, options: CompileOptions): Compilation {
  try {
    return compileEither(source, options);
  } catch (error) {
    if (error instanceof RangeError && error.message.includes('call stack'))
      return tooMuch(source, 'the query is nested too deeply; divide it with let or extend');
    throw error;
  }
}

function compileEither(source: Source, options: CompileOptions): Compilation {
  switch (source.kind) {
    case 'text':
      return compile(source.text, options);
    case 'tree':
      return compileProgram(source.tree, options);
    case 'expression': {
      const { expr, diagnostics } = parseExpression(source.text);
      if (diagnostics.some(({ severity }) => severity === 'error')) return { kind: 'failed', diagnostics };
      return compileProgram(programComputing(expr, source.dataset), options);
    }
  }
}

/**
 * A query that computes an expression for every event of a dataset; all spans are the span of the
 * expression.
 */
function programComputing(value: Ast.Expr, dataset: string): Ast.Program {
  const { span } = value;
  const source = { kind: 'table', pattern: { text: dataset, wildcard: false, span }, quoted: true, span } as const;
  const extend = {
    kind: 'extend',
    valid: false,
    columns: [{ name: { text: '@', quoted: true, span }, value, span }],
    span,
  } as const;
  return { statements: [], query: { kind: 'pipeline', source, operators: [extend], span }, span };
}

/** A query that is more than can be compiled. */
export function tooMuch(source: Source, message: string): CompileFailure {
  const span = source.kind === 'tree' ? source.tree.span : { start: 0, end: source.text.length };
  return { kind: 'failed', diagnostics: [{ severity: 'error', code: 'limit', message, span }] };
}
