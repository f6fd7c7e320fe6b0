import { Bytes } from './bytes';
import { Column } from './columns/column';
import { copyLoosely, takeZeros } from './memory';
import { varintWidth, writeVarint } from './varint';

/**
 * The Native body of `Map(String, String)`: for each row its entries, physical name (`geo.city#s`)
 * → text of the value. Strings are stored as they are, arrays and objects as JSON text; the name
 * gives the type, so nothing has to be guessed from the text.
 *
 * | bytes    | what                                                     |
 * |----------|----------------------------------------------------------|
 * | rows × 8 | entries up to and including the row                      |
 * | …        | names of all entries in the order of rows: length, bytes |
 * | …        | values in the same order: length, bytes                  |
 */
export class Overflow {
  /** The columns, each with the address and length of its name. */
  private readonly columns: Bytes = new Bytes(256);

  add(column: Column, name: usize, nameLength: usize): void {
    this.columns.push32(<i32>changetype<usize>(column));
    this.columns.push32(<i32>name);
    this.columns.push32(<i32>nameLength);
  }

  /** The body. */
  native(rows: i32): Bytes {
    const columns = this.columns;
    const ends = this.entryEnds(rows);
    const total = load<u32>(ends + ((<usize>rows) << 2));
    // Values are written column by column and then gathered row by row, so each entry records its
    // column and its text.
    const texts = new Bytes(256);
    const textEnds = new Bytes((<usize>total + 1) << 2);
    textEnds.push32(0);
    const entries = takeZeros((<usize>total) << 3);
    const next = takeZeros((<usize>rows) << 2);
    memory.copy(next, ends, (<usize>rows) << 2);
    let names: u64 = 0;
    let first: i32 = 0;
    for (let at = columns.start; at < columns.end; at += 12) {
      const column = changetype<Column>(<usize>load<u32>(at));
      column.writeTexts(texts, textEnds);
      const nameLength = load<u32>(at, 8);
      names += <u64>column.count * (<usize>nameLength + varintWidth(nameLength));
      const runs = column.runCount;
      for (let run = 0; run < runs; run++) {
        const length = column.runLength(run);
        for (let k = 0; k < length; k++) {
          const place = next + ((<usize>(column.runRow(run) + k)) << 2);
          const entry = load<u32>(place);
          store<u32>(place, entry + 1);
          store<u32>(entries + ((<usize>entry) << 3), <u32>at);
          store<i32>(entries + ((<usize>entry) << 3), first + column.runOrdinal(run) + k, 4);
        }
      }
      first += column.count;
    }
    const bytes: u64 = names + ((<u64>rows) << 3) + texts.length + lengthBytes(textEnds);
    // More than memory can hold: stops before a 32-bit sum wraps around and seems to fit.
    if (bytes > <u64>i32.MAX_VALUE) unreachable();
    const body = new Bytes(<usize>bytes);
    for (let row = 1; row <= rows; row++) body.push64(load<u32>(ends + ((<usize>row) << 2)));
    for (let entry: u32 = 0; entry < total; entry++) {
      const at = load<u32>(entries + ((<usize>entry) << 3));
      pushText(body, load<u32>(at, 4), load<u32>(at, 8));
    }
    for (let entry: u32 = 0; entry < total; entry++) {
      const end = textEnds.start + ((<usize>load<u32>(entries + ((<usize>entry) << 3), 4)) << 2);
      const from = load<u32>(end);
      pushText(body, texts.start + from, load<u32>(end, 4) - from);
    }
    return body;
  }

  /** The number of entries before each row, and finally of all. */
  private entryEnds(rows: i32): usize {
    const columns = this.columns;
    const ends = takeZeros((<usize>rows + 1) << 2);
    for (let at = columns.start; at < columns.end; at += 12) {
      const column = changetype<Column>(<usize>load<u32>(at));
      const runs = column.runCount;
      for (let run = 0; run < runs; run++) {
        const place = ends + ((<usize>(column.runRow(run) + 1)) << 2);
        const length = column.runLength(run);
        for (let k = 0; k < length; k++)
          store<u32>(place + ((<usize>k) << 2), load<u32>(place + ((<usize>k) << 2)) + 1);
      }
    }
    for (let row = 0; row < rows; row++) {
      const place = ends + ((<usize>row) << 2);
      store<u32>(place, load<u32>(place) + load<u32>(place, 4), 4);
    }
    return ends;
  }
}

/** Bytes of the lengths of texts, given where each ends. */
function lengthBytes(ends: Bytes): u64 {
  let bytes: u64 = 0;
  for (let at = ends.start; at + 4 < ends.end; at += 4) bytes += varintWidth(load<u32>(at, 4) - load<u32>(at));
  return bytes;
}

/** Appends the length of a text and the text; there must be room for both. */
function pushText(body: Bytes, at: usize, length: usize): void {
  const to = writeVarint(body.end, length);
  copyLoosely(to, at, length);
  body.end = to + length;
}
