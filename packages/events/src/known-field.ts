import { type FieldType, physicalName } from './fields.js';

/** A field: what stays the same in every body, and what holds only in the current one. */
export class KnownField {
  readonly id: number;
  /** The address of what the core keeps of it. */
  readonly kept: number;
  /** The name it is stored under. */
  readonly name: string;
  /**
   * The last body it occurred in, and, valid only in that body, the address at which the core keeps
   * its columns.
   */
  body = 0;
  address = 0;
  /**
   * The type of the column asked for last, and the name of that column. Most fields have only one
   * type.
   */
  #type: FieldType | undefined;
  #column = '';

  constructor(id: number, name: string, kept: number) {
    this.id = id;
    this.kept = kept;
    this.name = name;
  }

  /** The physical name of its column of a type. */
  column(type: FieldType): string {
    if (type !== this.#type) {
      this.#type = type;
      this.#column = physicalName(this.name, type);
    }
    return this.#column;
  }
}
