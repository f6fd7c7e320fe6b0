import type { DictionaryHint, DictionaryHints } from './columns/dictionary-heuristics.js';
import type { Core } from './core.js';
import type { EncodeOptions, LockedSchema } from './encode.js';
import { ALL_TYPES, type FieldType, TYPE_BIT } from './fields.js';
import type { KnownField } from './known-field.js';
import { OTHER_FIELD, TooManyFields } from './select-fields.js';

/** Counts bodies: a field's address is valid only in its body. */
let bodies = 0;

/**
 * The fields of a body: the addresses of their columns in the core, their declared types, and
 * statistics from earlier bodies.
 */
export class BodyFields {
  readonly #core: Core;
  readonly #schema: LockedSchema | undefined;
  readonly #habits: DictionaryHints | undefined;
  readonly #body = ++bodies;
  readonly #max: number;
  readonly #names: string[] = [];

  constructor(core: Core, { schema, habits, limits }: EncodeOptions) {
    this.#core = core;
    this.#schema = schema;
    this.#habits = habits?.begin();
    // A schema is its own limit.
    this.#max = schema === undefined ? limits.maxRequestFields : Number.POSITIVE_INFINITY;
  }

  /**
   * Where the core keeps the columns of a field.
   * @throws TooManyFields
   */
  addressOf(field: KnownField): number {
    if (field.body === this.#body) return field.address;
    if (field.name !== OTHER_FIELD) {
      if (this.#names.length + this.#core.unreportedFields() >= this.#max) throw new TooManyFields(this.#names);
      this.#names.push(field.name);
    }
    // Most rare fields are not strings, and have no statistics.
    const habit = this.#habits?.knownHint(field.name);
    field.body = this.#body;
    field.address = this.#core.fieldOfBody(
      field.retainedAddress,
      this.#countAllowed(field.name),
      Number(habit?.repeats ?? false),
      habit?.nextLook ?? 0,
    );
    return field.address;
  }

  /** Statistics of a field's strings; undefined if none are retained from body to body. */
  habitOf(field: KnownField): DictionaryHint | undefined {
    return this.#habits?.of(field.name);
  }

  /**
   * The types a schema allows for a field; undefined if there is no schema or it does not declare
   * the field.
   */
  declaredTypes(name: string): readonly FieldType[] | undefined {
    return this.#schema?.fields.get(name);
  }

  #countAllowed(name: string): number {
    if (this.#schema === undefined) return ALL_TYPES;
    return (this.declaredTypes(name) ?? []).reduce((bits, type) => bits | TYPE_BIT[type], 0);
  }
}
