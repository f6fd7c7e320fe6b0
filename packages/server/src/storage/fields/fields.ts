import { FIELD_TYPES, type FieldType } from '@millrace/events';

export interface FieldAndType {
  readonly field: string;
  readonly type: FieldType;
}

/** Where values of one (field, type) lie. Both are possible: a field may have moved from the overflow to a column of its own. */
export interface Place {
  readonly column: boolean;
  readonly overflow: boolean;
}

/** Fields and types by the places of their values. */
export type InPlaces = Readonly<Record<keyof Place, readonly FieldAndType[]>>;

/** The known types of one field, two bits for each (column, overflow): small, because there may be a hundred thousand fields. */
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

const typesIn = (places: Places): ReadonlyMap<FieldType, Place> =>
  new Map(
    FIELD_TYPES.flatMap((type) => {
      const place = placeIn(places, type);
      return place === undefined ? [] : [[type, place]];
    }),
  );

/** All that is known of a dataset's fields. Grows at ingest, before the events are acknowledged; shrinks only by a vacuum. */
export class DatasetFields {
  readonly #fields = new Map<string, Places>();
  /** Fields of which a type has a column. */
  readonly #withColumn = new Set<string>();
  /** Last segment of a dotted name → the one name or the names that end with it, so that a query finds those it may mean among a hundred thousand. */
  readonly #endings = new Map<string, string | string[]>();
  #overflowing = 0;
  #version = 0;

  /** Changes whenever a field or a place is added or removed; what was derived from the fields may be kept until then. */
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

  /** Whether values of the (field, type) are known to lie there. */
  isIn(where: keyof Place, field: string, type: FieldType): boolean {
    return ((this.#fields.get(field) ?? 0) & bits[where][type]) !== 0;
  }

  has(field: string): boolean {
    return this.#fields.has(field);
  }

  /** Whether values of the field, of any type, lie in the overflow column. */
  overflow(field: string): boolean {
    return ((this.#fields.get(field) ?? 0) & anyOverflow) !== 0;
  }

  names(): Iterable<string> {
    return this.#fields.keys();
  }

  *entries(): Iterable<[string, ReadonlyMap<FieldType, Place>]> {
    for (const [field, places] of this.#fields) yield [field, typesIn(places)];
  }

  types(field: string): ReadonlyMap<FieldType, Place> | undefined {
    const places = this.#fields.get(field);
    return places === undefined ? undefined : typesIn(places);
  }

  /** Fields of which a type has a column of its own. */
  get withColumn(): ReadonlySet<string> {
    return this.#withColumn;
  }

  /** Names whose last segment is the word: dotted ones, and the word itself if it is a name. */
  ending(word: string): readonly string[] {
    const names = this.#dottedEnding(word);
    return this.#fields.has(word) && !word.includes('.') ? [word, ...names] : names;
  }

  /** Notes that values of the field lie there; returns whether that is news. */
  add({ field, type }: FieldAndType, where: keyof Place): boolean {
    const places = this.#fields.get(field);
    const bit = bits[where][type];
    if (places !== undefined && (places & bit) !== 0) return false;
    if (places === undefined) this.#addName(field);
    this.#fields.set(field, (places ?? 0) | bit);
    if (where === 'column') this.#withColumn.add(field);
    else this.#overflowing++;
    this.#version++;
    return true;
  }

  /** Forgets that values of these fields and types lie there; for a vacuum. */
  remove(uses: readonly FieldAndType[], where: keyof Place): void {
    const gone: string[] = [];
    for (const { field, type } of uses) {
      const places = this.#fields.get(field) ?? 0;
      const bit = bits[where][type];
      if ((places & bit) === 0) continue;
      const left = places & ~bit;
      if (left === 0) {
        this.#fields.delete(field);
        gone.push(field);
      } else this.#fields.set(field, left);
      if (where === 'overflow') this.#overflowing--;
      else if ((left & anyColumn) === 0) this.#withColumn.delete(field);
      this.#version++;
    }
    this.#removeEndings(gone);
  }

  #dottedEnding(word: string): readonly string[] {
    const names = this.#endings.get(word) ?? [];
    return typeof names === 'string' ? [names] : names;
  }

  #addName(field: string): void {
    if (!field.includes('.')) return;
    const segment = lastSegment(field);
    const names = this.#endings.get(segment);
    if (names === undefined) this.#endings.set(segment, field);
    else if (typeof names === 'string') this.#endings.set(segment, [names, field]);
    else names.push(field);
  }

  /** Removes all in one pass, because a hundred thousand names may end with the same segment. */
  #removeEndings(gone: readonly string[]): void {
    for (const segment of new Set(gone.map(lastSegment))) {
      const left = this.#dottedEnding(segment).filter((name) => this.#fields.has(name));
      if (left.length === 0) this.#endings.delete(segment);
      else this.#endings.set(segment, left);
    }
  }
}

const lastSegment = (field: string): string => field.slice(field.lastIndexOf('.') + 1);
