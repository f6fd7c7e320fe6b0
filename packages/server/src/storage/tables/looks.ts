/** Rows inserted before they are looked at for the first time: of fewer, a column is read whole in ten milliseconds, and a look takes a hundred. */
const firstLook = 262_144;
const nextLook = 16;

/** When the rows of a dataset are looked at for fields that identify: once there are enough, and again when there are far more. */
export class Looks {
  #rows = 0;
  #at = firstLook;

  /** Notes rows that are about to be inserted; answers whether those before are to be looked at now. */
  due(rows: number): boolean {
    const due = this.#rows >= this.#at;
    while (this.#at <= this.#rows) this.#at *= nextLook;
    this.#rows += rows;
    return due;
  }
}
