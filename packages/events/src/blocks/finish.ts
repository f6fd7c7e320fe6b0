import type { Block } from './block.js';
import { type UnwrittenColumn, writeBlock } from './block-bytes.js';
import type { Lease } from '../core.js';
import type { EncodeOptions, EncodeResult } from '../encode.js';
import type { EventWriter } from '../event-writer.js';
import type { KnownOverflowFields } from '../known-overflow-fields.js';
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
import { BlockTooLarge } from '../limits.js';
import { TooManyFields } from '../select-fields.js';
import type { FieldStats } from '../placement.js';

/**
 * How many numbers a row of the core's table of columns has, and their indexes;
 * `../assembly/block.ts` explains them.
 */
const ROW = 13;
const TIME_BYTES = 8;
const FIELD = 0;
const TYPE = 1;
const COUNT = 2;
const BYTES = 3;
/** Where values go, see `PLACE`. */
const PLACED = 5;
const NAME = 6;
const NAME_BYTES = 7;
const NATIVE_BYTES = 8;
const IS_DICTIONARY = 9;
const REPEATS = 10;
const NEXT_LOOK = 11;

/** Destinations of values, as in the table of columns. */
const PLACE = {
  overflow: 0,
  own: 1,
  /** The overflow column, and the dataset knows it. */
  known: 2,
  /** Known in the overflow column, as retained by the core from an earlier body. */
  unreported: 3,
} as const;

/**
 * The (field, type) pairs of a body that have values, and for each the index of its row of the
 * table in the words of the core's memory.
 */
interface BodyColumns {
  readonly uses: readonly FieldStats[];
  readonly rowOf: readonly number[];
  /** Number of other fields, which the dataset knows. */
  readonly unreported: number;
}

/** Decides where the columns of a body go, and makes the block. */
export function finish(writer: EventWriter, { placement, limits, familiar }: EncodeOptions): EncodeResult {
  const { core, failures, drops } = writer;
  const rows = core.rowCount();
  // Checked before the columns are allocated, which takes as much memory again.
  refuseIf(TIME_BYTES * rows > limits.maxBlockBytes);
  const columns = columnsOf(writer);
  const { uses, unreported } = columns;
  const placed = uses.length + unreported === 0 ? [] : placement.place({ rows, uses });
  if ('kept' in placed) throw new TooManyFields(placed.kept);
  return {
    block:
      rows === 0
        ? writeBlock(0, [], () => undefined)
        : blockOf(writer, rows, columns, placed, { limits, ...(familiar !== undefined && { familiar }) }),
    ingested: rows,
    failed: failures.count,
    failures: failures.list,
    ...drops.result(),
    uses,
    placed,
    ...(unreported > 0 && familiar !== undefined && { unreportedMark: familiar.mark }),
    withOthers: core.eventsWithOthers(),
    ...(rows > 0 && { times: { min: core.earliestTime(), max: core.latestTime() } }),
  };
}

function columnsOf({ core, lease, names }: EventWriter): BodyColumns {
  const end = ROW * core.describeColumns();
  const { words } = lease;
  const table = core.columnTable() / 4;
  const uses: FieldStats[] = [];
  const rowOf: number[] = [];
  for (let row = table; row < table + end; row += ROW) {
    if (words[row + PLACED] === PLACE.unreported) continue;
    rowOf.push(row);
    const { name } = names.fieldWithId(words[row + FIELD]!);
    const type = typeOfBit(words[row + TYPE]!);
    uses.push({ field: name, type, count: words[row + COUNT]!, bytes: words[row + BYTES]! });
  }
  return { uses, rowOf, unreported: end / ROW - uses.length };
}

function blockOf(
  writer: EventWriter,
  rows: number,
  columns: BodyColumns,
  placed: readonly boolean[],
  { limits: { maxBlockBytes }, familiar }: Pick<EncodeOptions, 'limits' | 'familiar'>,
): Block {
  const { core, lease, names, fields } = writer;
  const { uses, rowOf, unreported } = columns;
  const known = placeColumns(lease, columns, placed, familiar);
  names.noteKnown(known + unreported, uses.length + unreported);
  const overflowBytes = core.layOut();
  const { words } = lease;
  const block: UnwrittenColumn[] = [{ name: TIME_COLUMN, type: TIME_TYPE, bytes: TIME_BYTES * rows }];
  uses.forEach((use, index) => {
    const row = rowOf[index]!;
    const field = names.fieldWithId(words[row + FIELD]!);
    if (use.type === 'string') fields.habitOf(field)?.set(words[row + REPEATS] === 1, words[row + NEXT_LOOK]!);
    if (words[row + PLACED] !== PLACE.own) return;
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

/**
 * Number of fields that are checked first; further ones are checked only if the dataset knows half
 * of these: a check takes a microsecond, which is wasted where all names are new.
 */
const ASKED = 32;

/**
 * Tells the core which values get a dedicated column, and the names of the others; returns how many
 * of the others the dataset knows.
 */
function placeColumns(
  lease: Lease,
  { uses, rowOf }: BodyColumns,
  placed: readonly boolean[],
  familiar: KnownOverflowFields | undefined,
): number {
  let known = 0;
  let requested = 0;
  const isKnown = ({ field, type }: FieldStats): boolean => {
    if (familiar === undefined || (requested >= ASKED && 2 * known < requested)) return false;
    requested++;
    const has = familiar.has(field, type);
    if (has) known++;
    return has;
  };
  const names = uses.map(({ field, type }, index) => (placed[index] === true ? '' : physicalName(field, type)));
  // A UTF-16 unit takes at most three bytes in UTF-8.
  let at = lease.core.room(3 * names.reduce((sum, { length }) => sum + length, 0));
  const { memory, words } = lease;
  for (let first = 0; first < names.length; first += TOGETHER) {
    const some = names.slice(first, first + TOGETHER);
    const text = some.join('');
    const isAscii = memory.write(text, at) === text.length;
    some.forEach((name, index) => {
      const row = rowOf[first + index]!;
      const bytes = isAscii ? name.length : Buffer.byteLength(name);
      words[row + PLACED] = bytes === 0 ? PLACE.own : isKnown(uses[first + index]!) ? PLACE.known : PLACE.overflow;
      words[row + NAME] = at;
      words[row + NAME_BYTES] = bytes;
      at += bytes;
    });
  }
  return known;
}
