import type { Ast } from '@millrace/apl';
import type { LogQuery } from '../syntax/ast.js';
import { column, literal } from './build.js';
import { Pipeline } from './pipeline.js';
import type { Schema } from './schema.js';

export const programOf = (dataset: string, operators: readonly Ast.Operator[], span: Ast.Span): Ast.Program => ({
  statements: [],
  query: {
    kind: 'pipeline',
    source: { kind: 'table', pattern: { text: dataset, wildcard: false, span }, quoted: true, span },
    operators,
    span,
  },
  span,
});

interface LogOptions {
  readonly limit: number;
  readonly newestFirst: boolean;
}

/**
 * The query that finds the lines of a log query, with all their fields. Labels that the stages add
 * are made from the rows ({@link renderer}).
 */
export function logProgram(
  log: LogQuery,
  schema: Schema,
  fail: (span: Ast.Span, message: string) => never,
  { limit, newestFirst }: LogOptions,
): Ast.Program {
  const { operators } = new Pipeline(log, schema, fail);
  const { span } = log;
  return programOf(
    schema.dataset,
    [
      ...operators,
      {
        kind: 'sort',
        keys: [{ value: column('_time', span), direction: newestFirst ? 'desc' : 'asc' }],
        span,
      },
      { kind: 'take', count: literal(BigInt(limit), span), span },
    ],
    span,
  );
}
