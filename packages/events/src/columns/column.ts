import { fillShort } from './bytes.js';

/**
 * A column under construction: the values of one (field, type), in the order of their rows, without the rows that have
 * none. `runs` says which rows these are: for each run of consecutive rows its first row and the ordinal of its first
 * value. A dense column is one run; a field seen once in a million rows costs one entry.
 */
export abstract class Column {
  readonly runs: number[] = [];
  /** Values. */
  count = 0;
  /** The key that brought the last value, if it wants to repeat it. */
  last: object | undefined;
  #lastRow = -2;
  #rowBefore = -2;

  /** The value of `row` was appended. Rows come in ascending order. */
  protected mark(row: number): void {
    if (row !== this.#lastRow + 1) this.runs.push(row, this.count);
    this.#rowBefore = this.#lastRow;
    this.#lastRow = row;
    this.last = undefined;
    this.count++;
  }

  /** Values of the run that begins at this place of `runs`. */
  runLength(at: number): number {
    const next = at + 3 < this.runs.length ? this.runs[at + 3]! : this.count;
    return next - this.runs[at + 1]!;
  }

  /** Takes the last value back; not twice without an append between. */
  undo(): void {
    this.count--;
    this.last = undefined;
    if (this.runs[this.runs.length - 2] === this.#lastRow) this.runs.length -= 2;
    this.#lastRow = this.#rowBefore;
    this.takeBack();
  }

  /** Whether values are likely to come several times in a row. */
  abstract get repeats(): boolean;

  /** Appends the last value again, if the column repeats and there is one. */
  abstract repeat(row: number): void;

  /** Removes the bytes of the last value. */
  protected abstract takeBack(): void;

  /** Bytes the values take by themselves. */
  abstract bytes(): number;
}

/** Calls `visit(first row, first ordinal, values)` for every run. */
export function forEachRun(column: Column, visit: (row: number, ordinal: number, length: number) => void): void {
  const { runs } = column;
  for (let i = 0; i < runs.length; i += 2) {
    visit(runs[i]!, runs[i + 1]!, column.runLength(i));
  }
}

/** Writes a null map of `rows` bytes: 0 where the column has a value, 1 elsewhere. */
export function writeNullMap(column: Column, rows: number, to: Uint8Array, start: number): void {
  fillShort(to, column.count === rows ? 0 : 1, start, start + rows);
  if (column.count === rows) return;
  const { runs } = column;
  for (let run = 0; run < runs.length; run += 2) {
    const from = start + runs[run]!;
    fillShort(to, 0, from, from + column.runLength(run));
  }
}
