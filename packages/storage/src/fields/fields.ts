import { FIELD_TYPES, type FieldType } from '@millrace/events';
import { NameTable } from './name-table.js';

export interface FieldAndType {
  readonly field: string;
  readonly type: FieldType;
}

/**
 * Where values of one (field, type) are stored. Both are possible: a field may have moved from the
 * overflow to a dedicated column.
 */
export interface Place {
  readonly column: boolean;
  readonly overflow: boolean;
}

/** Fields and types by the location of their values. */
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

/** Where there are more, names are gone through: a set of as many paths as fields takes memory. */
const maxInnerPaths = 10_000;

/**
 * The fields of a dataset. Grows at ingest, before the events are acknowledged; shrinks only by a
 * vacuum.
 */
export class DatasetFields {
  readonly #fields = new NameTable();
  /** Fields with at least one type in a column. */
  readonly #columnNames = new Set<string>();
  #overflowCount = 0;
  /** Paths of the objects in which such fields are; those of removed fields stay. */
  readonly #inner = new Set<string>();
  #version = 0;

  /**
   * Changes whenever a field or a location is added or removed; data derived from the fields may be
   * cached by it.
   */
  get version(): number {
    return this.#version;
  }

  /** Whether the overflow column has values of any field. */
  get overflows(): boolean {
    return this.#overflowCount > 0;
  }

  get size(): number {
    return this.#fields.size;
  }

  /** Reserves space for this many fields, in an empty set. */
  expect(count: number): void {
    this.#fields.expect(count);
  }

  /** Whether values of the (field, type) are in this location. */
  isIn(where: keyof Place, field: string, type: FieldType): boolean {
    return (this.#fields.get(field) & bits[where][type]) !== 0;
  }

  /** Whether values are in this location and in no other. */
  isOnlyIn(where: keyof Place, field: string, type: FieldType): boolean {
    const both = bits.column[type] | bits.overflow[type];
    return (this.#fields.get(field) & both) === bits[where][type];
  }

  has(field: string): boolean {
    return this.#fields.get(field) !== 0;
  }

  /** Whether the overflow column has values of the field, of any type. */
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

  /** Fields with at least one type in a dedicated column. */
  get columnNames(): ReadonlySet<string> {
    return this.#columnNames;
  }

  /** Whether the name of a field with values in the overflow column may continue the path. */
  overflowsBeneath(path: string): boolean {
    if (this.#inner.size < maxInnerPaths) return this.#inner.has(path);
    for (const [field] of this.#fields.entries()) if (field.startsWith(`${path}.`) && this.overflow(field)) return true;
    return false;
  }

  /** Names whose last segment is the word: dotted ones, and the word itself if it is a name. */
  *namesEndingIn(word: string): Iterable<string> {
    if (!word.includes('.') && this.has(word)) yield word;
    yield* this.#fields.namesEndingIn(word);
  }

  /** Adds a field at a location; returns whether that is new. */
  add({ field, type }: FieldAndType, where: keyof Place): boolean {
    return this.addPart(field, 0, field.length, type, where);
  }

  /** Adds a field whose name is a part of a text. */
  addPart(text: string, from: number, end: number, type: FieldType, where: keyof Place): boolean {
    const bit = bits[where][type];
    if ((this.#fields.setBitsOf(text, from, end, bit) & bit) !== 0) return false;
    if (where === 'column') this.#columnNames.add(text.slice(from, end));
    else {
      this.#overflowCount++;
      this.#addInner(text, from, end);
    }
    this.#version++;
    return true;
  }

  /** Adds the paths of the objects around a field. */
  #addInner(text: string, from: number, end: number): void {
    for (let dot = text.indexOf('.', from); dot !== -1 && dot < end; dot = text.indexOf('.', dot + 1))
      if (this.#inner.size < maxInnerPaths) this.#inner.add(text.slice(from, dot));
  }

  /** Releases the space of removed fields, in steps. */
  removeClosed(): Generator<void, void> {
    return this.#fields.removeClosed();
  }

  /** Removes fields and types from a location, for a vacuum. */
  remove(uses: readonly FieldAndType[], where: keyof Place): void {
    for (const { field, type } of uses) {
      const places = this.#fields.get(field);
      const bit = bits[where][type];
      if ((places & bit) === 0) continue;
      const left = places & ~bit;
      this.#fields.set(field, left);
      if (where === 'overflow') this.#overflowCount--;
      else if ((left & anyColumn) === 0) this.#columnNames.delete(field);
      this.#version++;
    }
  }
}
