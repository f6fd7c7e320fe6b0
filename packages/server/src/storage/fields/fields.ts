import { FIELD_TYPES, type FieldType } from '@millrace/events';
import { NameTable } from './name-table.js';

export interface FieldAndType {
  readonly field: string;
  readonly type: FieldType;
}

/**
 * Where values of one (field, type) lie. Both are possible: a field may have moved from the
 * overflow to a column of its own.
 */
export interface Place {
  readonly column: boolean;
  readonly overflow: boolean;
}

/** Fields and types by the places of their values. */
export type InPlaces = Readonly<Record<keyof Place, readonly FieldAndType[]>>;

/**
 * The known types of one field, two bits for each (column, overflow): small, because there may be a
 * hundred thousand fields.
 */
type Places = number;

const bitsFrom = (first: number): Readonly<Record<FieldType, Places>> =>
  Object.fromEntries(FIELD_TYPES.map((type, i) => [type, 1 << (2 * i + first)])) as Record<FieldType, Places>;
const bits: Readonly<Record<keyof Place, Readonly<Record<FieldType, Places>>>> = {
  column: bitsFrom(0),
  overflow: bitsFrom(1),
};
const anyColumn: Places = FIELD_TYPES.reduce((all, type) => all | bits.column[type], 0);
const anyOverflow: Places = FIELD_TYPES.reduce((all, type) => all | bits.overflow[type], 0);

function placeIn(places: Places, type: FieldType): Place | undefined {
  const column = (places & bits.column[type]) !== 0;
  const overflow = (places & bits.overflow[type]) !== 0;
  return column || overflow ? { column, overflow } : undefined;
}

/** Nearly all fields have one of a few combinations. */
const combinations = new Map<Places, ReadonlyMap<FieldType, Place>>();

function typesIn(places: Places): ReadonlyMap<FieldType, Place> {
  const known = combinations.get(places);
  if (known !== undefined) return known;
  const types = new Map<FieldType, Place>();
  for (const type of FIELD_TYPES) {
    const place = placeIn(places, type);
    if (place !== undefined) types.set(type, place);
  }
  combinations.set(places, types);
  return types;
}

/**
 * All that is known of a dataset's fields. Grows at ingest, before the events are acknowledged;
 * shrinks only by a vacuum.
 */
export class DatasetFields {
  readonly #fields = new NameTable();
  /** Fields of which a type has a column. */
  readonly #withColumn = new Set<string>();
  #overflowing = 0;
  #version = 0;

  /**
   * Changes whenever a field or a place is added or removed; what was derived from the fields may
   * be kept until then.
   */
  get version(): number {
    return this.#version;
  }

  /** Whether values of any field lie in the overflow column. */
  get overflows(): boolean {
    return this.#overflowing > 0;
  }

  get size(): number {
    return this.#fields.size;
  }

  /** So many fields are going to be added, and there are none yet. */
  expect(count: number): void {
    this.#fields.expect(count);
  }

  /** Whether values of the (field, type) are known to lie there. */
  isIn(where: keyof Place, field: string, type: FieldType): boolean {
    return (this.#fields.get(field) & bits[where][type]) !== 0;
  }

  /** The same, and that none lie elsewhere. */
  isOnlyIn(where: keyof Place, field: string, type: FieldType): boolean {
    const both = bits.column[type] | bits.overflow[type];
    return (this.#fields.get(field) & both) === bits[where][type];
  }

  has(field: string): boolean {
    return this.#fields.get(field) !== 0;
  }

  /** Whether values of the field, of any type, lie in the overflow column. */
  overflow(field: string): boolean {
    return (this.#fields.get(field) & anyOverflow) !== 0;
  }

  *names(): Iterable<string> {
    for (const [field] of this.#fields.entries()) yield field;
  }

  *entries(): Iterable<[string, ReadonlyMap<FieldType, Place>]> {
    for (const [field, places] of this.#fields.entries()) yield [field, typesIn(places)];
  }

  types(field: string): ReadonlyMap<FieldType, Place> | undefined {
    const places = this.#fields.get(field);
    return places === 0 ? undefined : typesIn(places);
  }

  /** Fields of which a type has a column of its own. */
  get withColumn(): ReadonlySet<string> {
    return this.#withColumn;
  }

  /** Names whose last segment is the word: dotted ones, and the word itself if it is a name. */
  *ending(word: string): Iterable<string> {
    if (!word.includes('.') && this.has(word)) yield word;
    yield* this.#fields.ending(word);
  }

  /** Notes that values of the field lie there; returns whether that is news. */
  add({ field, type }: FieldAndType, where: keyof Place): boolean {
    return this.addPart(field, 0, field.length, type, where);
  }

  /** The same for a field whose name is a part of a text. */
  addPart(text: string, from: number, end: number, type: FieldType, where: keyof Place): boolean {
    const bit = bits[where][type];
    if ((this.#fields.setBitsOf(text, from, end, bit) & bit) !== 0) return false;
    if (where === 'column') this.#withColumn.add(text.slice(from, end));
    else this.#overflowing++;
    this.#version++;
    return true;
  }

  /** Gives back the room of fields that were removed, in steps. */
  closing(): Generator<void, void> {
    return this.#fields.closing();
  }

  /** Forgets that values of these fields and types lie there; for a vacuum. */
  remove(uses: readonly FieldAndType[], where: keyof Place): void {
    for (const { field, type } of uses) {
      const places = this.#fields.get(field);
      const bit = bits[where][type];
      if ((places & bit) === 0) continue;
      const left = places & ~bit;
      this.#fields.set(field, left);
      if (where === 'overflow') this.#overflowing--;
      else if ((left & anyColumn) === 0) this.#withColumn.delete(field);
      this.#version++;
    }
  }
}
