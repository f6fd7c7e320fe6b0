/**
 * Rows inserted before the first scan: with fewer, a whole column is read in ten milliseconds, and
 * a scan takes a hundred.
 */
const firstLook = 262_144;
const nextLook = 16;

/**
 * Decides when to scan the rows of a dataset for identifier fields: once there are enough, and
 * again when there are far more.
 */
export class ScanSchedule {
  #rows = 0;
  #at = firstLook;

  /** Counts rows about to be inserted; returns whether to scan the earlier ones now. */
  isDue(rows: number): boolean {
    const due = this.#rows >= this.#at;
    while (this.#at <= this.#rows) this.#at *= nextLook;
    this.#rows += rows;
    return due;
  }
}
