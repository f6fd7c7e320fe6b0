import { Yielder, runYielding } from '@millrace/runtime/async/yield';
import type { CompiledQuery, OutputColumn } from '@millrace/apl';
import type { EngineResult } from '@millrace/engine';
import { type ColumnForm, convertColumn } from './columns.js';
import type { EngineTable } from './outcome.js';
import { mergeRareFields } from './rare-fields.js';

/** The table of a statement's result, with columns in their final form. */
export async function toTable(
  { output, rest }: Pick<CompiledQuery, 'output' | 'rest'>,
  result: EngineResult,
  maxBytes: number,
): Promise<EngineTable> {
  const yielder = new Yielder();
  const columns: Uint8Array[] = [];
  for (const [i, column] of output.entries()) {
    const values = result.columns[i]?.values ?? new Uint8Array();
    columns.push(await runYielding(convertColumn(values, formOf(column)), yielder));
  }
  const table = { output, columns, rows: result.rows };
  if (rest === undefined) return table;
  const objects = result.columns[output.length]!.values;
  return mergeRareFields(table, objects, { ...(rest.agg && { agg: rest.agg }), max: maxBytes });
}

/** Holds for queries compiled with `output: 'page'`. */
const formOf = ({ json, types: [type] }: OutputColumn): ColumnForm =>
  json ? 'json' : type === 'datetime' ? 'time' : 'plain';
