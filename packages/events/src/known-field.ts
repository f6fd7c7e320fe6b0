import { type FieldType, physicalName } from './fields.js';

/** A field: what is the same in every body, and what it is in the current one. */
export class KnownField {
  readonly id: number;
  /** The name it is stored under. */
  readonly name: string;
  /** The body that met it last, and, which is true in that one only, where the core keeps its columns. */
  body = 0;
  address = 0;
  /** The type of the column that was asked for last, and its name. Most fields have one. */
  #type: FieldType | undefined;
  #column = '';

  constructor(id: number, name: string) {
    this.id = id;
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
