import { Yielder } from '@millrace/runtime/async/yield';
import {
  isOwnColumn,
  lineColumn,
  type LogQuery,
  LogqlProblem,
  logProgram,
  renderer,
  type RenderedLine,
  type Schema,
} from '@millrace/logql';
import type { QueryRunContext } from '../context.js';
import { retryOnChange } from '../retries.js';
import type { EngineTable } from '../run/outcome.js';
import { Cells, runProgram } from './run-program.js';
import { type Target, withoutDatasetName } from './target.js';

/** A log query, from its tree to lines with labels. */

interface LogRequest {
  readonly text: string;
  readonly log: LogQuery;
  /** Nanoseconds; the end is exclusive. */
  readonly range: { readonly start: bigint; readonly end: bigint };
  readonly limit: number;
  readonly newestFirst: boolean;
}

export interface FoundLine extends RenderedLine {
  /** Nanoseconds since the epoch. */
  readonly time: bigint;
}

export interface LogOutcome {
  readonly lines: readonly FoundLine[];
  readonly partial: boolean;
}

/** Lines between two checks of the elapsed time. */
const linesAtOnce = 50;

/** @throws HttpError, EngineError, LogqlProblem */
export function runLog(request: LogRequest, target: Target, context: QueryRunContext): Promise<LogOutcome> {
  const { text, range, limit, newestFirst } = request;
  const fail = (span: { readonly start: number }, message: string): never => {
    throw new LogqlProblem(text, span, message);
  };
  return retryOnChange({
    prepare: async () => {
      const schema = await target.schema([request.log.selector]);
      const log = withoutDatasetName(request.log, schema);
      return { schema, log, program: logProgram(log, schema, fail, { limit, newestFirst }) };
    },
    perform: async ({ schema, log, program }) => {
      const found = await runProgram(program, { range: { start: range.start, end: range.end - 1n }, limit }, context);
      return { lines: await linesOf(found.table, schema, log), partial: found.partial };
    },
  });
}

async function linesOf(table: EngineTable, schema: Schema, { stages }: LogQuery): Promise<readonly FoundLine[]> {
  const times = new Cells(table, '_time');
  const texts = new Cells(table, schema.line ?? lineColumn);
  const labels = table.output.flatMap(({ name }) => {
    const label = isOwnColumn(name) ? undefined : schema.labelOfColumn(name);
    return label === undefined ? [] : [{ label, cells: new Cells(table, name) }];
  });
  const render = renderer(stages);
  const yielder = new Yielder();
  const lines: FoundLine[] = [];
  for (let row = 0; row < table.rows; row++) {
    if (row % linesAtOnce === 0) await yielder.maybeYield();
    const fields = new Map<string, string>();
    for (const { label, cells } of labels) {
      const value = cells.text(row);
      if (value !== undefined && value !== '') fields.set(label, value);
    }
    lines.push({ time: times.time(row), ...render(texts.text(row) ?? '', fields) });
  }
  return lines;
}
