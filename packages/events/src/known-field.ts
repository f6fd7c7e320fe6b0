import { type FieldType, physicalName } from './fields.js';

/** A field: properties that are equal in every body, and those of the current body. */
export class KnownField {
  readonly id: number;
  /** The address of the field's retained data in the core. */
  readonly retainedAddress: number;
  /** The name it is stored under. */
  readonly name: string;
  /**
   * The last body it occurred in, and, valid only in that body, the address at which the core keeps
   * its columns.
   */
  body = 0;
  address = 0;
  /** The type and name of the last requested column. Most fields have only one type. */
  #type: FieldType | undefined;
  #column = '';

  constructor(id: number, name: string, kept: number) {
    this.id = id;
    this.retainedAddress = kept;
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
