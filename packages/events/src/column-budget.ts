import { FIELD_TYPES, type FieldType, ofEachType, parsePhysicalName, physicalName } from './fields.js';
import { atOnce, type BatchFieldStats, type FieldStats, type SteppedPlacement } from './placement.js';

/** Limits of a dataset's physical columns. */
export interface BudgetLimits {
  /**
   * Up to this many columns, every new (field, type) gets one, if there are enough for all that
   * occur.
   */
  readonly softColumns: number;
  /**
   * Between soft and hard, only fields in at least `share` of the rows get one; beyond, no new
   * field does.
   */
  readonly hardColumns: number;
  readonly share: number;
  /**
   * Bytes a batch may spend on rows without a value, in addition to four for every byte of values.
   */
  readonly fillBytes: number;
  /** How many (field, type) pairs without a column are counted. */
  readonly candidates: number;
}

export const DEFAULT_BUDGET: BudgetLimits = {
  // Every column slows every query of the dataset, even queries that do not read it; up to this
  // many make no measurable difference.
  softColumns: 128,
  // Writing a part costs time and memory per column, used or not; thousands of columns make every
  // insert slow.
  hardColumns: 1024,
  // A field in one row of a hundred is worth a column; below that, its column is larger than its
  // values in the overflow column.
  share: 0.01,
  // Memory of one batch: columns are dense, so a rare field costs every row of a large batch a few
  // bytes.
  fillBytes: 64 << 20,
  // Counting may cost about a megabyte per dataset.
  candidates: 8192,
};

/** Fields that are decided about in one step: a fraction of a millisecond. */
const STEP = 1000;

/** How many rows must have been seen before a share of them means anything. */
const MIN_ROWS = 1000;

/**
 * This many values show that a field really is as frequent as expected, except for one field in
 * several thousand. Among many fields that are half as frequent, some occur twice as often in the
 * first thousand rows by chance, and a column, once made, stays.
 */
const atLeast = (expected: number): number => expected + 3 * Math.sqrt(expected);

/**
 * The part of the share that a field must reach in a batch for the batch to count for it. Well
 * below one, as it may be rare in that batch by chance.
 */
const COUNTED = 0.5;

/**
 * Decides which fields of one dataset have a physical column. It is stored with the dataset and
 * learns from batch to batch: a field that becomes frequent gets a column even if rare ones came
 * first. A column is never removed; but in a batch where its field is so rare that the empty rows
 * outweigh everything else, its values still go to the overflow column.
 */
export class ColumnBudget implements SteppedPlacement {
  readonly #limits: BudgetLimits;
  /**
   * Fields that have a column, by type; a set of column names would mean building those strings for
   * each batch.
   */
  readonly #columns = ofEachType(() => new Set<string>());
  #columnCount = 0;
  /** By type: field → rows with a value of that type, halved from time to time. */
  readonly #candidates = ofEachType(() => new Map<string, number>());
  #rows = 0;
  /**
   * More fields have occurred than columns are available. From then on each must prove frequent, or
   * the first of many rare ones would take all columns.
   */
  #isCrowded: boolean;

  /**
   * @param existing the existing physical columns of the dataset; other names are ignored
   * @param crowded whether fields of the dataset have gone to the overflow column before
   */
  constructor(limits: BudgetLimits = DEFAULT_BUDGET, existing: Iterable<string> = [], crowded = false) {
    this.#limits = limits;
    this.#isCrowded = crowded;
    for (const name of existing) {
      const column = parsePhysicalName(name);
      if (column !== undefined) this.#addColumn(column);
    }
  }

  /**
   * Physical columns of the dataset, including those of the batches placed so far; a new set on
   * each call.
   */
  get columns(): ReadonlySet<string> {
    return new Set(FIELD_TYPES.flatMap((type) => [...this.#columns[type]].map((field) => physicalName(field, type))));
  }

  /**
   * Fields without a column in fewer than this share of a batch's rows are not counted and get
   * none, whether reported or not. 0 while every field counts.
   */
  get uncounted(): number {
    return this.#isCrowded ? COUNTED * this.#limits.share : 0;
  }

  place(batch: BatchFieldStats): readonly boolean[] {
    return atOnce(this.placeColumns(batch));
  }

  /**
   * Batches may be placed concurrently, with their steps interleaved: a decision for one of them
   * takes effect immediately.
   */
  *placeColumns({ rows, uses }: BatchFieldStats): Generator<void, readonly boolean[]> {
    this.#rows += rows;
    if (!this.#isCrowded && this.#rows >= MIN_ROWS && !(yield* this.#hasRoomFor(uses))) this.#isCrowded = true;
    yield;
    const placed = uses.map(() => false);
    let fill = this.#limits.fillBytes + 4 * uses.reduce((sum, use) => sum + use.bytes, 0);
    const eligible: number[] = [];
    for (const [index, use] of uses.entries()) {
      if (index % STEP === 0) yield;
      if (this.#isEligible(use, rows)) eligible.push(index);
    }
    // The most frequent first, so that they get the remaining columns.
    eligible.sort((left, right) => uses[right]!.count - uses[left]!.count);
    for (const [place, index] of eligible.entries()) {
      if (place % STEP === 0) yield;
      const use = uses[index]!;
      const cost = (rows - use.count) * EMPTY_BYTES[use.type];
      if (cost > fill || !this.#mayHaveColumn(use)) continue;
      fill -= cost;
      placed[index] = true;
    }
    this.#forgetRare();
    return placed;
  }

  /**
   * If there are many fields, most are too rare to matter in nearly every batch: they are neither
   * counted nor considered.
   */
  #isEligible({ field, type, count }: FieldStats, rows: number): boolean {
    const counts = !this.#isCrowded || count >= this.uncounted * rows;
    return counts || type === 'map' || this.#columns[type].has(field);
  }

  *#hasRoomFor(uses: readonly FieldStats[]): Generator<void, boolean> {
    const { softColumns } = this.#limits;
    if (this.#columnCount + uses.length <= softColumns) return true;
    let fresh = 0;
    for (const [index, { field, type }] of uses.entries()) {
      if (index % STEP === 0) yield;
      if (!this.#columns[type].has(field)) fresh++;
    }
    return this.#columnCount + fresh <= softColumns;
  }

  #mayHaveColumn(use: FieldStats): boolean {
    if (this.#columns[use.type].has(use.field)) return true;
    if (!this.#earnsColumn(use)) return false;
    this.#addColumn(use);
    this.#candidates[use.type].delete(use.field);
    return true;
  }

  #addColumn({ field, type }: Pick<FieldStats, 'field' | 'type'>): void {
    if (this.#columns[type].has(field)) return;
    this.#columns[type].add(field);
    this.#columnCount++;
  }

  #earnsColumn({ field, type, count }: FieldStats): boolean {
    // The engine takes SQL as text that ends at a NUL, so no column can have one in its name.
    if (field.includes('\0')) return false;
    // Declared by hand, so there are few, and the reader of a map expects its column.
    if (type === 'map') return true;
    const { softColumns, hardColumns, share } = this.#limits;
    if (!this.#isCrowded && this.#columnCount < softColumns) return true;
    const candidates = this.#candidates[type];
    const seen = (candidates.get(field) ?? 0) + count;
    candidates.set(field, seen);
    return this.#columnCount < hardColumns && this.#rows >= MIN_ROWS && seen >= atLeast(share * this.#rows);
  }

  /**
   * Halves all counts until few enough candidates are left: fields that stay rare are dropped,
   * growing ones remain.
   */
  #forgetRare(): void {
    const all = FIELD_TYPES.map((type) => this.#candidates[type]);
    while (all.reduce((sum, { size }) => sum + size, 0) > this.#limits.candidates) {
      this.#rows /= 2;
      for (const candidates of all) {
        for (const [field, seen] of candidates) {
          if (seen < 2) candidates.delete(field);
          else candidates.set(field, seen / 2);
        }
      }
    }
  }
}

/** Bytes of a row without a value, including the null map. */
const EMPTY_BYTES: Readonly<Record<FieldType, number>> = {
  integer: 9,
  float: 9,
  datetime: 9,
  boolean: 2,
  string: 2,
  array: 2,
  map: 2,
};
