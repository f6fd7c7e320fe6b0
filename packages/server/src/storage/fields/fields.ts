import type { FieldType } from '@millrace/events';
import type { FieldAndType } from '../frame.js';

/** Where values of one (field, type) lie. Both are possible: a field may have moved from the overflow to a column of its own. */
export interface Place {
  readonly column: boolean;
  readonly overflow: boolean;
}

/** All that is known of a dataset's fields. Grows at ingest, before the events are acknowledged; shrinks only by a vacuum. */
export class DatasetFields {
  readonly #fields = new Map<string, Map<FieldType, Place>>();
  /** Fields of which a type has a column. */
  readonly #withColumn = new Set<string>();
  /** Last segment of a name → names, so that a query finds those it may mean among a hundred thousand. */
  readonly #endings = new Map<string, string[]>();
  #columns = 0;
  #overflows = false;
  #version = 0;

  /** Changes whenever a field or a place is added: what was derived from the fields may be kept until then. */
  get version(): number {
    return this.#version;
  }

  /** Physical columns in use. */
  get columns(): number {
    return this.#columns;
  }

  /** Whether values of any field lie in the overflow column. */
  get overflows(): boolean {
    return this.#overflows;
  }

  get size(): number {
    return this.#fields.size;
  }

  place(field: string, type: FieldType): Place | undefined {
    return this.#fields.get(field)?.get(type);
  }

  entries(): Iterable<[string, ReadonlyMap<FieldType, Place>]> {
    return this.#fields.entries();
  }

  types(field: string): ReadonlyMap<FieldType, Place> | undefined {
    return this.#fields.get(field);
  }

  /** Fields of which a type has a column of its own. */
  get withColumn(): ReadonlySet<string> {
    return this.#withColumn;
  }

  /** Names whose last segment is the word. */
  ending(word: string): readonly string[] {
    return this.#endings.get(word) ?? [];
  }

  /** Notes that values of the field lie there; answers whether that is news. */
  add({ field, type }: FieldAndType, where: keyof Place): boolean {
    const types = this.#fields.get(field) ?? new Map<FieldType, Place>();
    const known = types.get(type);
    if (known?.[where] === true) return false;
    types.set(type, {
      column: where === 'column' || known?.column === true,
      overflow: where === 'overflow' || known?.overflow === true,
    });
    if (types.size === 1 && known === undefined) this.#addName(field);
    this.#fields.set(field, types);
    if (where === 'column') {
      this.#columns++;
      this.#withColumn.add(field);
    } else {
      this.#overflows = true;
    }
    this.#version++;
    return true;
  }

  /** Forgets a column of a field; for a vacuum. Values in the overflow column stay known. */
  removeColumn({ field, type }: FieldAndType): void {
    const types = this.#fields.get(field);
    const known = types?.get(type);
    if (types === undefined || known?.column !== true) return;
    if (known.overflow) types.set(type, { column: false, overflow: true });
    else types.delete(type);
    if (types.size === 0) this.#removeName(field);
    if (![...types.values()].some(({ column }) => column)) this.#withColumn.delete(field);
    this.#columns--;
    this.#version++;
  }

  #addName(field: string): void {
    const segment = lastSegment(field);
    const names = this.#endings.get(segment);
    if (names === undefined) this.#endings.set(segment, [field]);
    else names.push(field);
  }

  #removeName(field: string): void {
    this.#fields.delete(field);
    const segment = lastSegment(field);
    const left = this.ending(segment).filter((name) => name !== field);
    if (left.length === 0) this.#endings.delete(segment);
    else this.#endings.set(segment, left);
  }
}

const lastSegment = (field: string): string => field.slice(field.lastIndexOf('.') + 1);
