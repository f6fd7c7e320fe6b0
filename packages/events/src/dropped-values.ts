import type { Drop } from './encode.js';

interface DropEntry {
  readonly field: string;
  readonly reason: Drop['reason'];
  count: number;
}

/** Values left out of stored events: those of the current event count only once it is stored. */
export class Drops {
  readonly #max: number;
  readonly #entries = new Map<string, DropEntry>();
  readonly #ofEvent: (DropEntry | undefined)[] = [];
  #elsewhere = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /**
   * The current event loses a value. `kind` distinguishes the reasons of one field; `reason` is
   * called once for each.
   */
  add(field: string, kind: string, reason: () => Drop['reason']): void {
    const key = `${kind} ${field}`;
    let entry = this.#entries.get(key);
    if (entry === undefined && this.#entries.size < this.#max) {
      entry = { field, reason: reason(), count: 0 };
      this.#entries.set(key, entry);
    }
    this.#ofEvent.push(entry);
  }

  /** The current event is over. */
  end(stored: boolean): void {
    if (stored) {
      for (const entry of this.#ofEvent) {
        if (entry === undefined) this.#elsewhere++;
        else entry.count++;
      }
    }
    this.#ofEvent.length = 0;
  }

  result(): { readonly dropped: readonly Drop[]; readonly droppedElsewhere: number } {
    const dropped = [...this.#entries.values()].filter(({ count }) => count > 0);
    return { dropped, droppedElsewhere: this.#elsewhere };
  }
}
