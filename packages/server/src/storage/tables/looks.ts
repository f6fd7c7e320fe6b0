/**
 * Rows inserted before the first look: with fewer, a whole column is read in ten milliseconds, and
 * a look takes a hundred.
 */
const firstLook = 262_144;
const nextLook = 16;

/**
 * Decides when to look through the rows of a dataset for fields that identify: once there are
 * enough, and again when there are far more.
 */
export class Looks {
  #rows = 0;
  #at = firstLook;

  /** Notes rows that are about to be inserted; returns whether to look at the earlier ones now. */
  due(rows: number): boolean {
    const due = this.#rows >= this.#at;
    while (this.#at <= this.#rows) this.#at *= nextLook;
    this.#rows += rows;
    return due;
  }
}
