import type { Block } from './block.js';
import { type UnwrittenColumn, writeBlock } from './block-bytes.js';
import type { Core, Lease } from './core.js';
import { type EncodeOptions, type EncodeResult, placedUses } from './encode.js';
import type { EventWriter } from './event-writer.js';
import {
  DICTIONARY_STRING,
  FIELD_STORAGE,
  type FieldType,
  OVERFLOW_COLUMN,
  OVERFLOW_TYPE,
  TIME_COLUMN,
  TIME_TYPE,
  typeOfBit,
} from './fields.js';
import type { KnownField } from './known-field.js';

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

/** A (field, type) with values, and where its row of the table begins. */
interface BodyColumn {
  readonly field: string;
  readonly type: FieldType;
  readonly count: number;
  readonly bytes: number;
  readonly of: KnownField;
  readonly row: number;
}

/** Asks where the columns of a body go and makes the block. */
export function finish(writer: EventWriter, { placement }: EncodeOptions): EncodeResult {
  const { core, failures, drops } = writer;
  const rows = core.rowCount();
  const columns = columnsOf(writer);
  // Nothing else of the columns: who places them may be another thread.
  const uses = columns.map(({ field, type, count, bytes }) => ({ field, type, count, bytes }));
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

/** The core's table of columns. Its memory moves when it grows, so nobody keeps this. */
const tableOf = (core: Core, columns: number): Int32Array =>
  new Int32Array(core.memory.buffer, core.columnTable(), ROW * columns);

function columnsOf({ core, names }: EventWriter): readonly BodyColumn[] {
  const count = core.describeColumns();
  const table = tableOf(core, count);
  return Array.from({ length: count }, (_, index) => {
    const row = ROW * index;
    const of = names.fieldWithId(table[row + FIELD]!);
    const type = typeOfBit(table[row + TYPE]!);
    return { field: of.name, type, count: table[row + COUNT]!, bytes: table[row + BYTES]!, of, row };
  });
}

function blockOf(lease: Lease, rows: number, columns: readonly BodyColumn[], placed: readonly boolean[]): Block {
  const { core } = lease;
  const own = columns.filter((_, index) => placed[index] === true);
  placeColumns(lease, columns, placed);
  const overflowBytes = core.layOut();
  const table = tableOf(core, columns.length);
  const block: UnwrittenColumn[] = [{ name: TIME_COLUMN, type: TIME_TYPE, bytes: 8 * rows }];
  for (const { of, type, row } of own) {
    const nativeType = table[row + IS_DICTIONARY] === 1 ? DICTIONARY_STRING : FIELD_STORAGE[type].type;
    block.push({ name: of.column(type), type: nativeType, bytes: table[row + NATIVE_BYTES]! });
  }
  if (overflowBytes > 0) block.push({ name: OVERFLOW_COLUMN, type: OVERFLOW_TYPE, bytes: overflowBytes });
  for (const { type, of, row } of columns) {
    if (type === 'string') of.habit?.set(table[row + REPEATS] === 1, table[row + NEXT_LOOK]!);
  }
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
  const rest = columns.filter((_, index) => placed[index] !== true);
  const names = rest.map(({ of, type }) => Buffer.from(of.column(type)));
  let name = lease.place(Buffer.concat(names));
  const table = tableOf(lease.core, columns.length);
  for (const { row } of columns) table[row + PLACED] = 1;
  rest.forEach(({ row }, index) => {
    const bytes = names[index]!;
    table[row + PLACED] = 0;
    table[row + NAME] = name;
    table[row + NAME_BYTES] = bytes.length;
    name += bytes.length;
  });
}
