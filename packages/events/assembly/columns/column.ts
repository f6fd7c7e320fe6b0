import { Bytes } from '../bytes';

/**
 * Bytes of a run's entry: its first row, the ordinal of its first value, and where that value
 * begins in the content of a text column.
 */
const RUN: usize = 12;

/**
 * A column under construction: the values of one (field, type) in the order of their rows, leaving
 * out rows without one. `runs` records which rows have values, one entry per run of consecutive
 * rows. A dense column is one run; a field seen once in a million rows costs one entry.
 */
export abstract class Column {
  readonly runs: Bytes = new Bytes(2 * RUN);
  /** Number of values. */
  count: i32 = 0;
  private lastRow: i32 = -2;
  private rowBefore: i32 = -2;

  /** Records that the value of `row` was appended at `start`. Rows come in ascending order. */
  @inline protected mark(row: i32, start: usize): void {
    if (row != this.lastRow + 1) {
      const runs = this.runs;
      const at = runs.reserve(RUN);
      store<i32>(at, row);
      store<i32>(at, this.count, 4);
      store<u32>(at, <u32>start, 8);
      runs.end = at + RUN;
    }
    this.rowBefore = this.lastRow;
    this.lastRow = row;
    this.count++;
  }

  get runCount(): i32 {
    return <i32>((this.runs.end - this.runs.start) / RUN);
  }

  /** First row of a run. */
  runRow(run: i32): i32 {
    return load<i32>(this.runs.start + <usize>run * RUN);
  }

  /** Ordinal of its first value. */
  runOrdinal(run: i32): i32 {
    return load<i32>(this.runs.start + <usize>run * RUN, 4);
  }

  /** Where its first value begins in the content. */
  runStart(run: i32): usize {
    return load<u32>(this.runs.start + <usize>run * RUN, 8);
  }

  protected setRunStart(run: i32, start: usize): void {
    store<u32>(this.runs.start + <usize>run * RUN, <u32>start, 8);
  }

  /** Number of values in a run. */
  runLength(run: i32): i32 {
    const next = run + 1 < this.runCount ? this.runOrdinal(run + 1) : this.count;
    return next - this.runOrdinal(run);
  }

  /** Removes the last value; must not be called twice without an append in between. */
  undo(): void {
    this.count--;
    if (this.runRow(this.runCount - 1) == this.lastRow) this.runs.end -= RUN;
    this.lastRow = this.rowBefore;
    this.takeBack();
  }

  /** Removes the bytes of the last value. */
  protected abstract takeBack(): void;

  /** Bytes of the values alone. */
  abstract get bytes(): usize;

  /** Bytes of the Native body for this many rows. */
  abstract nativeBytes(rows: i32): usize;

  /** Writes the Native body for this many rows. */
  abstract writeNative(rows: i32, to: usize): void;

  /** Appends the text of each value, in order, to `texts`, and where each ends to `ends`. */
  abstract writeTexts(texts: Bytes, ends: Bytes): void;

  /** Writes a null map of `rows` bytes: 0 where the column has a value, otherwise 1. */
  protected writeNulls(rows: i32, to: usize): void {
    memory.fill(to, this.count == rows ? 0 : 1, rows);
    if (this.count == rows) return;
    const runs = this.runCount;
    for (let run = 0; run < runs; run++) memory.fill(to + this.runRow(run), 0, this.runLength(run));
  }
}
