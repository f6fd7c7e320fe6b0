import { TextHabit, type TextHabits } from './columns/text-habits.js';
import type { Core } from './core.js';
import type { EncodeOptions, LockedSchema } from './encode.js';
import { ALL_TYPES, type FieldType, TYPE_BIT, storedName } from './fields.js';

/** A field of a body: where the core keeps its columns, and what is remembered of its texts. */
export interface BodyField {
  /** The name it is stored under. */
  readonly name: string;
  readonly address: number;
  readonly habit: TextHabit;
}

/** The fields of a body, by the names under which they are stored and by the numbers the core knows them by. */
export class BodyFields {
  readonly #core: Core;
  readonly #schema: LockedSchema | undefined;
  readonly #habits: TextHabits | undefined;
  readonly #byName = new Map<string, BodyField>();
  readonly #byId: BodyField[] = [];

  constructor(core: Core, { schema, habits }: EncodeOptions) {
    this.#core = core;
    this.#schema = schema;
    this.#habits = habits?.begin();
  }

  /** The field an event calls `name`. */
  named(name: string): BodyField {
    const stored = storedName(name);
    const known = this.#byName.get(stored);
    if (known !== undefined) return known;
    const habit = this.#habits?.of(stored) ?? new TextHabit();
    const address = this.#core.newField(
      this.#byId.length,
      this.#allowed(stored),
      Number(habit.repeats),
      habit.nextLook,
    );
    const field = { name: stored, address, habit };
    this.#byName.set(stored, field);
    this.#byId.push(field);
    return field;
  }

  withId(id: number): BodyField {
    return this.#byId[id]!;
  }

  /** What a schema says of the types of a field; undefined where there is none or it does not know the field. */
  declared(name: string): readonly FieldType[] | undefined {
    return this.#schema?.fields.get(name);
  }

  #allowed(name: string): number {
    if (this.#schema === undefined) return ALL_TYPES;
    return (this.declared(name) ?? []).reduce((bits, type) => bits | TYPE_BIT[type], 0);
  }
}
