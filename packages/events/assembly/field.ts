import { Bytes } from './bytes';
import { Column } from './columns/column';
import { BOOLEANS, FLOATS, FixedColumn, INTEGERS } from './columns/fixed-column';
import { TextColumn } from './columns/text-column';

/** Types of values; bits of {@link Field.allowed}. */
export const INTEGER_TYPE: i32 = 1;
export const FLOAT_TYPE: i32 = 2;
export const STRING_TYPE: i32 = 4;
export const BOOLEAN_TYPE: i32 = 8;
export const ARRAY_TYPE: i32 = 32;
export const MAP_TYPE: i32 = 64;
export const ALL_TYPES: i32 = 127;

/** Number of events stored so far, which is the row of the current one if it is stored. */
let row: i32 = 0;
/** Fields that got a value in the current event; some may have lost it again. */
let touched: Bytes = new Bytes(0);

/** The fields of the body, in the order in which they were first met. */
let fields: Bytes = new Bytes(0);

/** A body begins. */
export function beginRows(): void {
  row = 0;
  fields = new Bytes(256);
  touched = new Bytes(256);
}

/** The addresses of all fields of the body. */
export function fieldsOfBody(): Bytes {
  return fields;
}

export function addField(field: Field): void {
  fields.push32(<i32>changetype<usize>(field));
}

export function currentRow(): i32 {
  return row;
}

/** Keeps the values of the current event. */
export function keepRow(): void {
  touched.clear();
  row++;
}

/** Removes the values of the current event. */
export function undoRow(): void {
  for (let at = touched.start; at < touched.end; at += 4) changetype<Field>(<usize>load<u32>(at)).clear();
  touched.clear();
}

/**
 * One field of a batch: its columns, at most one per type, and the value it has in the current
 * event.
 */
export class Field {
  /** The host's number for it. */
  readonly id: i32;
  /** The address of its retained data. */
  readonly known: usize;
  /** Types whose values are stored. */
  readonly allowed: i32;
  private readonly habitRepeats: bool;
  private readonly habitNextLook: i32;
  /** The row whose value was appended last, or -1 after it was removed again. */
  row: i32 = -1;
  /** The column that value went to. */
  column: Column | null = null;
  integers: FixedColumn | null = null;
  floats: FixedColumn | null = null;
  booleans: FixedColumn | null = null;
  strings: TextColumn | null = null;
  arrays: TextColumn | null = null;
  maps: TextColumn | null = null;

  /**
   * @param habitRepeats whether the field's strings repeat
   * @param habitNextLook the number of strings at which to check again
   */
  constructor(id: i32, known: usize, allowed: i32, habitRepeats: bool, habitNextLook: i32) {
    this.id = id;
    this.known = known;
    this.allowed = allowed;
    this.habitRepeats = habitRepeats;
    this.habitNextLook = habitNextLook;
  }

  /**
   * Called before the current event gives it a value: removes an earlier value of the same event.
   */
  @inline begin(): void {
    if (this.row == row) this.clear();
    touched.push32(<i32>changetype<usize>(this));
  }

  /** Called after the value was appended to `column`. */
  @inline end(column: Column): void {
    this.row = row;
    this.column = column;
  }

  /** Whether the current event has given it a value. */
  get isSet(): bool {
    return this.row == row;
  }

  /** Removes the value that the current event gave it, if any. */
  clear(): void {
    if (this.row != row) return;
    const column = this.column;
    if (column != null) column.undo();
    this.row = -1;
  }

  allows(type: i32): bool {
    return (this.allowed & type) != 0;
  }

  integerColumn(): FixedColumn {
    let column = this.integers;
    if (column == null) this.integers = column = new FixedColumn(INTEGERS);
    return column;
  }

  floatColumn(): FixedColumn {
    let column = this.floats;
    if (column == null) this.floats = column = new FixedColumn(FLOATS);
    return column;
  }

  booleanColumn(): FixedColumn {
    let column = this.booleans;
    if (column == null) this.booleans = column = new FixedColumn(BOOLEANS);
    return column;
  }

  stringColumn(): TextColumn {
    let column = this.strings;
    if (column == null) {
      this.strings = column = new TextColumn();
      column.mayRepeat(this.habitRepeats, this.habitNextLook);
    }
    return column;
  }

  arrayColumn(): TextColumn {
    let column = this.arrays;
    if (column == null) this.arrays = column = new TextColumn();
    return column;
  }

  mapColumn(): TextColumn {
    let column = this.maps;
    if (column == null) this.maps = column = new TextColumn();
    return column;
  }
}
