import type { Block } from './block.js';
import { type UnwrittenColumn, writeBlock } from './block-bytes.js';
import type { Lease } from './core.js';
import { type EncodeOptions, type EncodeResult, placedUses } from './encode.js';
import type { EventWriter } from './event-writer.js';
import {
  DICTIONARY_STRING,
  FIELD_STORAGE,
  OVERFLOW_COLUMN,
  OVERFLOW_TYPE,
  TIME_COLUMN,
  TIME_TYPE,
  typeOfBit,
} from './fields.js';
import type { KnownField } from './known-field.js';
import type { FieldUse } from './placement.js';

/** Numbers in a row of the core's table of columns, and which is which; `../assembly/block.ts` says what they are. */
const ROW = 12;
const FIELD = 0;
const TYPE = 1;
const COUNT = 2;
const BYTES = 3;
const PLACED = 5;
const NAME = 6;
const NAME_BYTES = 7;
const NATIVE_BYTES = 8;
const IS_DICTIONARY = 9;
const REPEATS = 10;
const NEXT_LOOK = 11;

/** A (field, type) with values, and where its row of the table begins in the words of the core's memory. */
interface BodyColumn {
  readonly use: FieldUse;
  readonly field: KnownField;
  readonly row: number;
}

/** Asks where the columns of a body go and makes the block. */
export function finish(writer: EventWriter, { placement }: EncodeOptions): EncodeResult {
  const { core, failures, drops } = writer;
  const rows = core.rowCount();
  const columns = columnsOf(writer);
  // Nothing else of the columns: who places them may be another thread.
  const uses = columns.map(({ use }) => use);
  const placed = uses.length === 0 ? [] : placement.place({ rows, uses });
  return {
    block: rows === 0 ? writeBlock(0, [], () => undefined) : blockOf(writer.lease, rows, columns, placed),
    ingested: rows,
    failed: failures.count,
    failures: failures.list,
    ...drops.result(),
    uses: placedUses(uses, placed),
    ...(rows > 0 && { times: { min: core.earliestTime(), max: core.latestTime() } }),
  };
}

function columnsOf({ core, lease, names }: EventWriter): readonly BodyColumn[] {
  const end = ROW * core.describeColumns();
  const { words } = lease;
  const table = core.columnTable() / 4;
  const columns: BodyColumn[] = [];
  for (let row = table; row < table + end; row += ROW) {
    const field = names.fieldWithId(words[row + FIELD]!);
    const type = typeOfBit(words[row + TYPE]!);
    columns.push({
      use: { field: field.name, type, count: words[row + COUNT]!, bytes: words[row + BYTES]! },
      field,
      row,
    });
  }
  return columns;
}

function blockOf(lease: Lease, rows: number, columns: readonly BodyColumn[], placed: readonly boolean[]): Block {
  const { core } = lease;
  placeColumns(lease, columns, placed);
  const overflowBytes = core.layOut();
  const { words } = lease;
  const block: UnwrittenColumn[] = [{ name: TIME_COLUMN, type: TIME_TYPE, bytes: 8 * rows }];
  for (const { use, field, row } of columns) {
    if (use.type === 'string') field.habit?.set(words[row + REPEATS] === 1, words[row + NEXT_LOOK]!);
    if (words[row + PLACED] === 0) continue;
    const type = words[row + IS_DICTIONARY] === 1 ? DICTIONARY_STRING : FIELD_STORAGE[use.type].type;
    block.push({ name: field.column(use.type), type, bytes: words[row + NATIVE_BYTES]! });
  }
  if (overflowBytes > 0) block.push({ name: OVERFLOW_COLUMN, type: OVERFLOW_TYPE, bytes: overflowBytes });
  return writeBlock(rows, block, (to, start) => {
    let at = start;
    for (let bytes = core.writeBodies(); bytes > 0; bytes = core.writeBodies()) {
      const from = core.bodiesAt();
      to.set(lease.memory.subarray(from, from + bytes), at);
      at += bytes;
    }
  });
}

/** Tells the core which columns are of their own, and the names of the others. */
function placeColumns(lease: Lease, columns: readonly BodyColumn[], placed: readonly boolean[]): void {
  const names = columns.map(({ field, use }, index) => (placed[index] === true ? undefined : field.column(use.type)));
  // A unit of UTF-16 is three bytes of UTF-8 at most.
  let at = lease.core.room(3 * names.reduce((sum, name) => sum + (name?.length ?? 0), 0));
  const { memory, words } = lease;
  columns.forEach(({ row }, index) => {
    const name = names[index];
    words[row + PLACED] = name === undefined ? 1 : 0;
    if (name === undefined) return;
    const bytes = memory.write(name, at);
    words[row + NAME] = at;
    words[row + NAME_BYTES] = bytes;
    at += bytes;
  });
}
