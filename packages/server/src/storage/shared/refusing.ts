import type { EngineError } from '@millrace/engine';

/** What passes sooner is waited out. */
const passingMilliseconds = 1000;
/** When nobody has tried for so long, somebody may. */
const restMilliseconds = 2000;

/**
 * Whether an engine says, again and again, that it can store nothing of a dataset: its replicas
 * have no Keeper, or too few of them are there. Then whoever sends events is told at once, and need
 * not wait until the time is up. A home that does not answer says nothing: another one comes soon.
 */
export class Refusing {
  /** Since when nothing was stored. */
  #since: number | undefined;
  #last = -Infinity;
  #trying = 0;

  get isSo(): boolean {
    const now = performance.now();
    const isLasting = this.#since !== undefined && now - this.#since >= passingMilliseconds;
    return isLasting && (this.#trying > 0 || now - this.#last < restMilliseconds);
  }

  /** Somebody tries, perhaps many times. */
  async during<T>(work: Promise<T>): Promise<T> {
    this.#trying++;
    try {
      return await work;
    } finally {
      this.#trying--;
    }
  }

  failed({ code, detail }: EngineError): void {
    if (code !== 'unavailable' || !detail.startsWith('Code: ')) return;
    this.#last = performance.now();
    this.#since ??= this.#last;
  }

  stored(): void {
    this.#since = undefined;
  }
}
