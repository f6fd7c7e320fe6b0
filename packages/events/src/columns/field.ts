import type { FieldType } from '../fields.js';
import type { Arena } from './bytes.js';
import type { Column } from './column.js';
import { FixedColumn } from './fixed.js';
import { StringColumn } from './string.js';
import { TextHabit, type TextHabits } from './text-habits.js';

/** Bits of {@link Field.allowed}. */
export const TYPE_BIT: Readonly<Record<FieldType, number>> = {
  integer: 1,
  float: 2,
  string: 4,
  boolean: 8,
  datetime: 16,
  array: 32,
  map: 64,
};
export const ALL_TYPES = 127;

/** One field of a batch: its columns, at most one per type, and the value it has in the current event. */
export class Field {
  /** The name it is stored under. */
  readonly name: string;
  /** Types whose values are stored. */
  readonly allowed: number;
  readonly #habits: TextHabits | undefined;
  /** The row whose value was appended last, or -1 after it was taken back. */
  row = -1;
  /** The column that value went to. */
  column: Column | undefined;
  integers: FixedColumn | undefined;
  floats: FixedColumn | undefined;
  booleans: FixedColumn | undefined;
  strings: StringColumn | undefined;
  arrays: StringColumn | undefined;
  maps: StringColumn | undefined;

  constructor(name: string, allowed: number, habits: TextHabits | undefined) {
    this.name = name;
    this.allowed = allowed;
    this.#habits = habits;
  }

  integerColumn(arena: Arena): FixedColumn {
    return (this.integers ??= new FixedColumn(arena, 8));
  }

  floatColumn(arena: Arena): FixedColumn {
    return (this.floats ??= new FixedColumn(arena, 8));
  }

  booleanColumn(arena: Arena): FixedColumn {
    return (this.booleans ??= new FixedColumn(arena, 1));
  }

  stringColumn(arena: Arena): StringColumn {
    return (this.strings ??= new StringColumn(arena, this.#habits?.of(this.name) ?? new TextHabit()));
  }

  arrayColumn(arena: Arena): StringColumn {
    return (this.arrays ??= new StringColumn(arena, undefined));
  }

  mapColumn(arena: Arena): StringColumn {
    return (this.maps ??= new StringColumn(arena, undefined));
  }

  /** The columns that have values. */
  columns(): readonly FieldColumn[] {
    const columns: FieldColumn[] = [];
    const { name: field, integers, booleans, floats, strings, maps, arrays } = this;
    if (hasValues(integers)) columns.push({ field, type: 'integer', kind: 'fixed', column: integers });
    if (hasValues(strings)) columns.push({ field, type: 'string', kind: 'text', column: strings });
    if (hasValues(booleans)) columns.push({ field, type: 'boolean', kind: 'fixed', column: booleans });
    if (hasValues(floats)) columns.push({ field, type: 'float', kind: 'fixed', column: floats });
    if (hasValues(maps)) columns.push({ field, type: 'map', kind: 'text', column: maps });
    if (hasValues(arrays)) columns.push({ field, type: 'array', kind: 'text', column: arrays });
    return columns;
  }
}

function hasValues<C extends Column>(column: C | undefined): column is C {
  return column !== undefined && column.count > 0;
}

/** One (field, type) of a batch. */
export type FieldColumn =
  | {
      readonly field: string;
      readonly type: 'integer' | 'boolean' | 'float';
      readonly kind: 'fixed';
      readonly column: FixedColumn;
    }
  | {
      readonly field: string;
      readonly type: 'string' | 'map' | 'array';
      readonly kind: 'text';
      readonly column: StringColumn;
    };
