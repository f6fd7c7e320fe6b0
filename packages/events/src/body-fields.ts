import type { TextHabit, TextHabits } from './columns/text-habits.js';
import type { Core } from './core.js';
import type { EncodeOptions, LockedSchema } from './encode.js';
import { ALL_TYPES, type FieldType, TYPE_BIT } from './fields.js';
import type { KnownField } from './known-field.js';
import { OTHER_FIELD, TooManyFields } from './only-fields.js';

/** Counts bodies: a field's address from an earlier body is no longer valid. */
let bodies = 0;

/**
 * The fields of a body: where the core keeps their columns, and what a schema and earlier bodies
 * say about them.
 */
export class BodyFields {
  readonly #core: Core;
  readonly #schema: LockedSchema | undefined;
  readonly #habits: TextHabits | undefined;
  readonly #body = ++bodies;
  readonly #most: number;
  readonly #names: string[] = [];

  constructor(core: Core, { schema, habits, limits }: EncodeOptions) {
    this.#core = core;
    this.#schema = schema;
    this.#habits = habits?.begin();
    // A schema limits them by itself.
    this.#most = schema === undefined ? limits.maxRequestFields : Number.POSITIVE_INFINITY;
  }

  /**
   * Where the core keeps the columns of a field.
   * @throws TooManyFields
   */
  addressOf(field: KnownField): number {
    if (field.body === this.#body) return field.address;
    if (field.name !== OTHER_FIELD) {
      if (this.#names.length + this.#core.unaskedFields() >= this.#most) throw new TooManyFields(this.#names);
      this.#names.push(field.name);
    }
    // Most rare fields are not texts, and nothing is remembered about them.
    const habit = this.#habits?.known(field.name);
    field.body = this.#body;
    field.address = this.#core.fieldOfBody(
      field.kept,
      this.#allowed(field.name),
      Number(habit?.repeats ?? false),
      habit?.nextLook ?? 0,
    );
    return field.address;
  }

  /**
   * What is remembered about the texts of a field; undefined if nothing is remembered from body to
   * body.
   */
  habitOf(field: KnownField): TextHabit | undefined {
    return this.#habits?.of(field.name);
  }

  /**
   * The types a schema allows for a field; undefined if there is no schema or it does not declare
   * the field.
   */
  declared(name: string): readonly FieldType[] | undefined {
    return this.#schema?.fields.get(name);
  }

  #allowed(name: string): number {
    if (this.#schema === undefined) return ALL_TYPES;
    return (this.declared(name) ?? []).reduce((bits, type) => bits | TYPE_BIT[type], 0);
  }
}
