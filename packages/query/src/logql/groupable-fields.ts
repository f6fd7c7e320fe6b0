import type { Ast } from '@millrace/apl';
import { call, logqlBounds, namedExpr, programOf, type Schema } from '@millrace/logql';
import type { QueryRunContext } from '../context.js';
import { lokiError } from './loki-error.js';
import { Cells, runProgram } from './run-program.js';

const nowhere: Ast.Span = { start: 0, end: 0 };

/**
 * The fields that are labels of series: those with few values among some events.
 * @param operators conditions on the events
 * @throws HttpError when there are too many fields to look
 */
export async function groupableFields(
  schema: Schema,
  operators: readonly Ast.Operator[],
  range: { readonly start: bigint; readonly end: bigint },
  context: QueryRunContext,
): Promise<readonly string[]> {
  const fields = schema.labels().filter((label) => schema.isGroupable(label));
  if (fields.length === 0) return [];
  const { max, what } = logqlBounds.logqlLabelFields;
  if (fields.length > max)
    throw lokiError(`the dataset has more than ${max} ${what}; say which labels count, as in sum by (level) (…)`);
  const aggregates = fields.map((label, i) =>
    namedExpr(`values ${i}`, call(nowhere, 'dcount', schema.text(label, nowhere)!)),
  );
  const program = programOf(
    schema.dataset,
    [...operators, { kind: 'summarize', aggregates, by: [], span: nowhere }],
    nowhere,
  );
  const { table } = await runProgram(program, { range, limit: 1 }, context);
  if (table.rows === 0) return [];
  return fields.filter((_, i) => {
    const values = new Cells(table, `values ${i}`).number(0);
    return values > 0 && values <= logqlBounds.logqlLabelValues.max;
  });
}
