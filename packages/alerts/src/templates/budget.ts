import { isObject } from './go-text.js';
import { TemplateError } from './template-error.js';

/** Cost of evaluating a template node, again in each pass of a loop. */
const step = 300;
/** Cost of a character that is read or created. */
const character = 3;

/**
 * Compute budget of a template: counts its work while it runs. Nested loops and repeated
 * concatenation could run practically without end, and a template runs synchronously, so it would
 * block the process.
 */
export class Effort {
  readonly #sizes = new WeakMap<object, number>();
  #remainingUnits: number;

  /** @param steps compute budget of one template */
  constructor(steps: number) {
    this.#remainingUnits = steps * step;
  }

  /**
   * Counts one step, and the number of elements or variables it copies.
   * @throws TemplateError
   */
  step(at: number, copied = 0): void {
    this.#spend(at, step + copied);
  }

  /**
   * Counts reading a value character by character.
   * @param weight cost relative to copying
   * @throws TemplateError
   */
  read(at: number, value: unknown, weight = 1): void {
    this.#spend(at, character * weight * this.#sizeOf(value));
  }

  #spend(at: number, units: number): void {
    this.#remainingUnits -= units;
    if (this.#remainingUnits < 0)
      throw new TemplateError(
        at,
        'it does too much until here; use fewer loops in loops, and shorter texts; MILLRACE_TEMPLATE_STEPS is the limit',
      );
  }

  /** Approximate number of characters of a value as text. */
  #sizeOf(value: unknown): number {
    if (typeof value === 'string') return value.length;
    if (!Array.isArray(value) && !isObject(value)) return 1;
    const known = this.#sizes.get(value) ?? JSON.stringify(value).length;
    this.#sizes.set(value, known);
    return known;
  }
}
