import { spansOf } from '../run/columns.js';
import type { EngineTable } from '../run/outcome.js';
import { encodeText, Writer } from './writer.js';

const open = encodeText('[');
const comma = encodeText(',');
const close = encodeText(']\n');
const none = encodeText('[]\n');

/**
 * The rows of a table, each a JSON array in the order of the fields on a separate line; in steps.
 */
export function* rowsAnswer({ columns, rows }: EngineTable): Generator<void, readonly Uint8Array[]> {
  const spans = yield* spansOf(columns, rows);
  const out = new Writer();
  for (let row = 0; row < rows; row++) {
    yield;
    spans.forEach((values, i) => {
      out.bytes(i === 0 ? open : comma);
      out.value(values, row);
    });
    out.bytes(spans.length === 0 ? none : close);
  }
  return out.take();
}
