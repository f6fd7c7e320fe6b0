import { isObject } from './go-text.js';
import { TemplateError } from './template-error.js';

/** A part of the template that is looked at, once more in each pass of a loop. */
const step = 300;
/** A character that is read or made. */
const character = 3;

/**
 * Counts what a template does while it does it. Loops in loops, and texts made of texts, have no
 * end that anybody could wait for, and everybody would: it is done in one go.
 */
export class Effort {
  readonly #sizes = new WeakMap<object, number>();
  #left: number;

  /** @param steps what making one text may take */
  constructor(steps: number) {
    this.#left = steps * step;
  }

  /**
   * One step, and what it copies besides: elements, variables.
   * @throws TemplateError
   */
  step(at: number, copied = 0): void {
    this.#spend(at, step + copied);
  }

  /**
   * A text or another value is read, character by character.
   * @param weight how much longer than copying that takes
   * @throws TemplateError
   */
  read(at: number, value: unknown, weight = 1): void {
    this.#spend(at, character * weight * this.#sizeOf(value));
  }

  #spend(at: number, units: number): void {
    this.#left -= units;
    if (this.#left < 0)
      throw new TemplateError(
        at,
        'it does too much until here; use fewer loops in loops, and shorter texts; MILLRACE_TEMPLATE_STEPS is the limit',
      );
  }

  /** Characters that a value has as text, or about as many. */
  #sizeOf(value: unknown): number {
    if (typeof value === 'string') return value.length;
    if (!Array.isArray(value) && !isObject(value)) return 1;
    const known = this.#sizes.get(value) ?? JSON.stringify(value).length;
    this.#sizes.set(value, known);
    return known;
  }
}
