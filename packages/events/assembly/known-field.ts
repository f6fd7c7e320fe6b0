import { addField, Field, ALL_TYPES } from './field';
import { takeKept } from './arena';

/**
 * Fields that are retained from body to body. A dataset with many fields has most of them in the
 * overflow column. A field that the dataset already knows there is not reported to the host again,
 * because that would take longer than all other work on its values.
 */

/** Counts bodies. */
let body: u64 = 0;
/**
 * ID of the current dataset and its known fields; 0 if every field must be reported. The host uses
 * a new number when they change.
 */
let knower: i32 = 0;
/** Minimum share of the rows from which a known field is reported again. */
let share: f64 = 0;
/** Fields of this body without a host call, and their maximum number. */
let unreported: i32 = 0;
let maxUnreported: i32 = 0;

/** A body begins. */
export function beginKnownFields(): void {
  body++;
  knower = 0;
  unreported = 0;
}

/** Lets up to `max` known fields of the dataset go unreported. */
export function setKnower(number: i32, from: f64, max: i32): void {
  knower = number;
  share = from;
  maxUnreported = max;
}

/** Number of fields of this body without a host call. */
export function unreportedFields(): i32 {
  return unreported;
}

export function currentBody(): u64 {
  return body;
}

/** A field in retained memory. */
export class KnownField {
  /** The host's number for it. */
  id: i32;
  /** The `knower` whose dataset has values of this type only in the overflow column; 0 if none. */
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

  /** The field in this body; created if no host call is needed for it. */
  get field(): Field | null {
    if (this.body == body) return this.fieldOfBody;
    if (knower == 0 || this.knower != knower || unreported >= maxUnreported) return null;
    unreported++;
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

  /** Whether this many values in so many rows need not be reported to the host. */
  isKnown(type: i32, count: i32, rows: i32): bool {
    return knower != 0 && this.knower == knower && this.type == type && <f64>count < share * <f64>rows;
  }

  /**
   * Records that the dataset has values of the type in the overflow column, under this name. One
   * type is retained; nearly all rare fields have only one.
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

/** Creates a field without `new`, because it must be in retained memory. */
export function newKnownField(id: i32): usize {
  const at = takeKept(offsetof<KnownField>());
  memory.fill(at, 0, offsetof<KnownField>());
  changetype<KnownField>(at).id = id;
  return at;
}
