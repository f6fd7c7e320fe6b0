import { valuesOf } from './columns.js';
import type { AnswerTable } from './execute.js';
import { Writer } from './writer.js';

/** The rows of a table, each one JSON array in the order of the fields, on a line of its own. */
export function rowsAnswer({ columns, rows }: AnswerTable): readonly Uint8Array[] {
  const spans = columns.map((column) => valuesOf(column, rows));
  const out = new Writer();
  for (let row = 0; row < rows; row++) {
    spans.forEach((values, i) => {
      out.text(i === 0 ? '[' : ',');
      out.value(values, row);
    });
    out.text(spans.length === 0 ? '[]\n' : ']\n');
  }
  return [out.take()];
}
