import type { Batch } from './batch.js';
import type { Block } from './block.js';
import { type UnwrittenColumn, writeBlock } from './block-bytes.js';
import type { FieldColumn } from './columns/field.js';
import { nativeOverflow } from './columns/overflow.js';
import { type EncodeOptions, type EncodeResult, placedUses } from './encode.js';
import type { EventWriter } from './event-writer.js';
import {
  DICTIONARY_STRING,
  FIELD_STORAGE,
  OVERFLOW_COLUMN,
  OVERFLOW_TYPE,
  TIME_COLUMN,
  TIME_TYPE,
  physicalName,
} from './fields.js';
import { DICTIONARY_ROWS } from './limits.js';

/** Asks where the columns of a batch go and makes the block. */
export function finish({ batch, failures }: EventWriter, { placement }: EncodeOptions): EncodeResult {
  const { rows } = batch;
  const columns = batch.columns();
  const uses = columns.map(({ field, type, column }) => ({ field, type, count: column.count, bytes: column.bytes() }));
  const placed = uses.length === 0 ? [] : placement.place({ rows, uses });
  const times = batch.timeRange();
  const block = rows === 0 ? writeBlock(rows, []) : blockOf(batch, columns, placed);
  batch.arena.release();
  return {
    block,
    ingested: rows,
    failed: failures.count,
    failures: failures.list,
    ...batch.drops(),
    uses: placedUses(uses, placed),
    ...(times === undefined ? {} : { times }),
  };
}

function blockOf(batch: Batch, columns: readonly FieldColumn[], placed: readonly boolean[]): Block {
  const { rows } = batch;
  const own = columns.filter((_, index) => placed[index] === true);
  const rest = columns.filter((_, index) => placed[index] !== true);
  const block: UnwrittenColumn[] = [{ name: TIME_COLUMN, type: TIME_TYPE, ...batch.times() }];
  for (const column of own) block.push(blockColumn(column, rows));
  if (rest.length > 0) block.push({ name: OVERFLOW_COLUMN, type: OVERFLOW_TYPE, ...nativeOverflow(rest, rows) });
  return writeBlock(rows, block);
}

function blockColumn(use: FieldColumn, rows: number): UnwrittenColumn {
  const name = physicalName(use.field, use.type);
  const { type } = FIELD_STORAGE[use.type];
  if (use.kind === 'fixed') return { name, type, ...use.column.native(rows) };
  const { dictionary, bytes, write } = use.column.native(rows, DICTIONARY_ROWS);
  return { name, type: dictionary ? DICTIONARY_STRING : type, bytes, write };
}
