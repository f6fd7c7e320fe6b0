import type { Block } from './block.js';
import { type UnwrittenColumn, writeBlock } from './block-bytes.js';
import type { Lease } from '../core.js';
import type { EncodeOptions, EncodeResult } from '../encode.js';
import type { EventWriter } from '../event-writer.js';
import {
  DICTIONARY_STRING,
  FIELD_STORAGE,
  OVERFLOW_COLUMN,
  OVERFLOW_TYPE,
  physicalName,
  TIME_COLUMN,
  TIME_TYPE,
  typeOfBit,
} from '../fields.js';
import { BlockTooLarge, type EncodeLimits } from '../limits.js';
import { TooManyFields } from '../only-fields.js';
import type { FieldUse } from '../placement.js';

/**
 * How many numbers a row of the core's table of columns has, and their indexes;
 * `../assembly/block.ts` explains them.
 */
const ROW = 12;
const TIME_BYTES = 8;
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

/**
 * The (field, type) pairs of a body that have values, and the index of the table's first row in the
 * words of the core's memory.
 */
interface BodyColumns {
  readonly uses: readonly FieldUse[];
  readonly table: number;
}

/** Asks where the columns of a body go, and makes the block. */
export function finish(writer: EventWriter, { placement, limits }: EncodeOptions): EncodeResult {
  const { core, failures, drops } = writer;
  const rows = core.rowCount();
  // Before the columns are made, which takes as much again.
  refuseIf(TIME_BYTES * rows > limits.maxBlockBytes);
  const columns = columnsOf(writer);
  const { uses } = columns;
  const placed = uses.length === 0 ? [] : placement.place({ rows, uses });
  if ('kept' in placed) throw new TooManyFields(placed.kept);
  return {
    block: rows === 0 ? writeBlock(0, [], () => undefined) : blockOf(writer, rows, columns, placed, limits),
    ingested: rows,
    failed: failures.count,
    failures: failures.list,
    ...drops.result(),
    uses,
    placed,
    withOthers: core.eventsWithOthers(),
    ...(rows > 0 && { times: { min: core.earliestTime(), max: core.latestTime() } }),
  };
}

function columnsOf({ core, lease, names }: EventWriter): BodyColumns {
  const end = ROW * core.describeColumns();
  const { words } = lease;
  const table = core.columnTable() / 4;
  const uses: FieldUse[] = [];
  for (let row = table; row < table + end; row += ROW) {
    const { name } = names.fieldWithId(words[row + FIELD]!);
    const type = typeOfBit(words[row + TYPE]!);
    uses.push({ field: name, type, count: words[row + COUNT]!, bytes: words[row + BYTES]! });
  }
  return { uses, table };
}

function blockOf(
  writer: EventWriter,
  rows: number,
  columns: BodyColumns,
  placed: readonly boolean[],
  { maxBlockBytes }: EncodeLimits,
): Block {
  const { core, lease, names, fields } = writer;
  const { uses, table } = columns;
  placeColumns(lease, columns, placed);
  const overflowBytes = core.layOut();
  const { words } = lease;
  const block: UnwrittenColumn[] = [{ name: TIME_COLUMN, type: TIME_TYPE, bytes: TIME_BYTES * rows }];
  uses.forEach((use, index) => {
    const row = table + index * ROW;
    const field = names.fieldWithId(words[row + FIELD]!);
    if (use.type === 'string') fields.habitOf(field)?.set(words[row + REPEATS] === 1, words[row + NEXT_LOOK]!);
    if (words[row + PLACED] === 0) return;
    const type = words[row + IS_DICTIONARY] === 1 ? DICTIONARY_STRING : FIELD_STORAGE[use.type].type;
    block.push({ name: field.column(use.type), type, bytes: words[row + NATIVE_BYTES]! });
  });
  if (overflowBytes > 0) block.push({ name: OVERFLOW_COLUMN, type: OVERFLOW_TYPE, bytes: overflowBytes });
  refuseIf(block.reduce((sum, { bytes }) => sum + bytes, 0) > maxBlockBytes);
  return writeBlock(rows, block, (to, start) => {
    let at = start;
    for (let bytes = core.writeBodies(); bytes > 0; bytes = core.writeBodies()) {
      const from = core.bodiesAt();
      to.set(lease.memory.subarray(from, from + bytes), at);
      at += bytes;
    }
  });
}

function refuseIf(isTooLarge: boolean): void {
  if (isTooLarge) throw new BlockTooLarge('the events of one request take too much room; send fewer');
}

/**
 * How many names are written at a time: a call for each would cost more than its bytes, and all of
 * them together may exceed the longest possible string.
 */
const TOGETHER = 1024;

/** Tells the core which values get a column of their own, and the names of the others. */
function placeColumns(lease: Lease, { uses, table }: BodyColumns, placed: readonly boolean[]): void {
  const names = uses.map(({ field, type }, index) => (placed[index] === true ? '' : physicalName(field, type)));
  // A UTF-16 unit takes at most three bytes in UTF-8.
  let at = lease.core.room(3 * names.reduce((sum, { length }) => sum + length, 0));
  const { memory, words } = lease;
  for (let first = 0; first < names.length; first += TOGETHER) {
    const some = names.slice(first, first + TOGETHER);
    const text = some.join('');
    const isAscii = memory.write(text, at) === text.length;
    some.forEach((name, index) => {
      const row = table + (first + index) * ROW;
      const bytes = isAscii ? name.length : Buffer.byteLength(name);
      words[row + PLACED] = Number(bytes === 0);
      words[row + NAME] = at;
      words[row + NAME_BYTES] = bytes;
      at += bytes;
    });
  }
}
