import type { Ast, CompiledQuery } from '@millrace/apl';
import { parseTimestampText } from '@millrace/timestamps';
import type { QueryRunContext } from '../context.js';
import { prepareProgram } from '../prepare.js';
import { runPlan } from '../run-plan.js';
import { isNullAt, textAt, type ValueSpans, valuesOf } from '../run/columns.js';
import type { EngineTable } from '../run/outcome.js';
import { lokiError } from './loki-error.js';

/** Runs pipelines that LogQL was translated to. */

interface Run {
  /** Nanoseconds, both inclusive. */
  readonly range: { readonly start: bigint; readonly end: bigint };
  /** Maximum rows. */
  readonly limit: number;
}

interface Rows {
  readonly table: EngineTable;
  readonly partial: boolean;
}

/** @throws HttpError, EngineError */
export async function runProgram(program: Ast.Program, { range, limit }: Run, context: QueryRunContext): Promise<Rows> {
  const bounds = { range: { ...range, given: { start: true, end: true } }, backwards: false };
  const options = { defaultLimit: limit, maxLimit: limit, rowIds: false, output: 'json' } as const;
  const plan: CompiledQuery = await prepareProgram(program, bounds, context, options, (problem) => lokiError(problem));
  const { table, partial } = await runPlan(plan, context, { count: false });
  return { table, partial };
}

/** A column of a result by its name. */
export class Cells {
  readonly #values: ValueSpans;

  constructor({ output, columns, rows }: EngineTable, name: string) {
    const at = output.findIndex((column) => column.name === name);
    if (at < 0) throw new RangeError(`the result has no column ${name}`);
    this.#values = valuesOf(columns[at]!, rows);
  }

  /** The text of a value; other values as they are written, undefined for null. */
  text(row: number): string | undefined {
    if (isNullAt(this.#values, row)) return undefined;
    const json = textAt(this.#values, row);
    return json.startsWith('"') ? (JSON.parse(json) as string) : json;
  }

  number(row: number): number {
    const text = this.text(row);
    return text === undefined ? Number.NaN : Number(text);
  }

  /** Nanoseconds since the epoch. */
  time(row: number): bigint {
    return parseTimestampText(this.text(row) ?? '') ?? 0n;
  }
}
