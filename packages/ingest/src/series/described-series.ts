/** What an encoder needs to know of `DescribedSeries`. */
export interface DescribedTable {
  /** Tells datasets apart, also those of different servers in a process. */
  readonly id: number;
  /** Keys in open addressing; 0 is free. */
  readonly keys: BigInt64Array;
}

let ids = 0;

/**
 * The series of a dataset whose tags are on disk, by day: each batch describes only the others.
 * Keys are in shared memory, which encoder threads read. Forgetting some costs repeated
 * descriptions.
 */
export class DescribedSeries {
  readonly #id = ++ids;
  #table = newTable(4096);
  #count = 0;

  get table(): DescribedTable {
    return { id: this.#id, keys: this.#table };
  }

  /** @param keys of series whose description was acknowledged */
  add(keys: BigInt64Array): void {
    for (const key of keys) {
      if (2 * this.#count >= this.#table.length) this.#grow();
      this.#insert(key);
    }
  }

  #grow(): void {
    const before = this.#table;
    this.#count = 0;
    this.#table = newTable(before.length < maxSlots ? 2 * before.length : 4096);
    if (this.#table.length > before.length) for (const key of before) if (key !== 0n) this.#insert(key);
  }

  #insert(key: bigint): void {
    const slot = slotOf(this.#table, key);
    if (this.#table[slot] === key || key === 0n) return;
    this.#table[slot] = key;
    this.#count++;
  }
}

/** Half a million series, 8 MiB. Beyond it, the table starts empty again. */
const maxSlots = 2 ** 20;

const newTable = (slots: number): BigInt64Array => new BigInt64Array(new SharedArrayBuffer(8 * slots));

export const isDescribed = ({ keys }: Pick<DescribedTable, 'keys'>, key: bigint): boolean =>
  key !== 0n && keys[slotOf(keys, key)] === key;

/** @param day since the epoch */
export const describedKey = (series: bigint, day: number): bigint =>
  BigInt.asIntN(64, series + BigInt(day) * 0x9e37_79b9_7f4a_7c15n);

/** The slot of a key, or the free one where it belongs. */
function slotOf(table: BigInt64Array, key: bigint): number {
  const mask = table.length - 1;
  let slot = Number(BigInt.asUintN(32, key)) & mask;
  while (table[slot] !== 0n && table[slot] !== key) slot = (slot + 1) & mask;
  return slot;
}
