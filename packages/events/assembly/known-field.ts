import { addField, Field, ALL_TYPES } from './field';
import { takeKept } from './kept';

/**
 * What is known of fields from one body to the next. A dataset with very many fields has the values
 * of most of them in the overflow column, where it knows them to be. Of such a field the host need
 * not be told again, which would take longer than everything else that happens to its values.
 */

/** Counts bodies. */
let body: u64 = 0;
/**
 * Stands for the current dataset and what it knows; 0 if it has to be told of every field. The host
 * takes another number when that changes.
 */
let knower: i32 = 0;
/** The share of the rows from which on the host has to be told of a field all the same. */
let share: f64 = 0;
/** Fields that the host has not been asked for in this body, and how many there may be. */
let unasked: i32 = 0;
let mostUnasked: i32 = 0;

/** A body begins. */
export function beginKnownFields(): void {
  body++;
  knower = 0;
  unasked = 0;
}

/** Fields that the dataset knows need not be told of, up to so many of them. */
export function setKnower(number: i32, from: f64, most: i32): void {
  knower = number;
  share = from;
  mostUnasked = most;
}

/** Fields of this body that the host has not been asked for. */
export function unaskedFields(): i32 {
  return unasked;
}

export function currentBody(): u64 {
  return body;
}

/** Lies in kept memory. */
export class KnownField {
  /** The host's number for it. */
  id: i32;
  /** Who knows that values of this type lie in the overflow column alone; 0 for nobody. */
  private knower: i32;
  private type: i32;
  /** The physical name of that type. */
  name: usize;
  nameLength: usize;
  /** The field of the body it occurred in last. */
  private fieldOfBody: Field | null;
  private body: u64;

  /** The field in this body, if there is one. */
  get present(): Field | null {
    return this.body == body ? this.fieldOfBody : null;
  }

  /** The same, or a new one if the host need not be asked for it. */
  get field(): Field | null {
    if (this.body == body) return this.fieldOfBody;
    if (knower == 0 || this.knower != knower || unasked >= mostUnasked) return null;
    unasked++;
    return this.begin(ALL_TYPES, false, 0);
  }

  /** Makes the field of this body. */
  begin(allowed: i32, repeats: bool, nextLook: i32): Field {
    const field = new Field(this.id, changetype<usize>(this), allowed, repeats, nextLook);
    this.fieldOfBody = field;
    this.body = body;
    addField(field);
    return field;
  }

  /** Whether the host need not be told of this many values in so many rows. */
  isKnown(type: i32, count: i32, rows: i32): bool {
    return knower != 0 && this.knower == knower && this.type == type && <f64>count < share * <f64>rows;
  }

  /**
   * Notes that the dataset knows that values of the type lie in the overflow column, under this
   * name. One type is remembered; nearly all rare fields have only one.
   */
  remember(type: i32, name: usize, length: usize): void {
    if (this.knower == knower) return;
    // Names of a field differ by their last letter only.
    if (this.nameLength != length) {
      this.name = takeKept(length);
      this.nameLength = length;
    }
    memory.copy(this.name, name, length);
    this.knower = knower;
    this.type = type;
  }
}

/** Makes a field by hand instead of with `new`, because it must be in kept memory. */
export function newKnownField(id: i32): usize {
  const at = takeKept(offsetof<KnownField>());
  memory.fill(at, 0, offsetof<KnownField>());
  changetype<KnownField>(at).id = id;
  return at;
}
