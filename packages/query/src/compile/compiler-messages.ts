import type { MessagePort } from 'node:worker_threads';
import type { Ast, CompiledQuery, CompileOptions, CompileFailure, Question } from '@millrace/apl';
import type { CatalogLookup, CatalogShape } from './remote-catalog.js';

/**
 * A query as it is compiled: its text, its syntax tree, or the text of an expression that is
 * computed for every event of a dataset.
 */
export type Source =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'expression'; readonly text: string; readonly dataset: string }
  | { readonly kind: 'tree'; readonly tree: Ast.Program };

/** Result of compiling. */
export type Compilation = CompiledQuery | Question | CompileFailure;

/** Start parameters of a compiler thread. */
export interface CompilerStart {
  /**
   * Responses of the catalog arrive here; the thread blocks until they do, because the compiler is
   * synchronous.
   */
  readonly answers: MessagePort;
  /**
   * Three shared Int32: 0 while the thread waits for a response; the thread's ID once it runs; and
   * its processor time when it began the query, in milliseconds, negative before that.
   */
  readonly answered: SharedArrayBuffer;
}

/** To the thread. */
export interface CompileRequest {
  readonly source: Source;
  readonly options: Omit<CompileOptions, 'catalog'>;
  readonly shape: CatalogShape;
}

/** To the thread, through its port. A catalog that threw has no more to say. */
export type CatalogAnswer = { readonly kind: 'returned'; readonly answer: unknown } | { readonly kind: 'threw' };

/** From the thread: any number of lookups, then one of the others. */
export type CompilerReply =
  | { readonly kind: 'asks'; readonly lookup: CatalogLookup }
  | { readonly kind: 'compiled'; readonly compilation: Compilation }
  /** The catalog threw. */
  | { readonly kind: 'refused' };
