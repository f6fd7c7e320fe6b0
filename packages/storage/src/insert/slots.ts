import { type Engine, shardOf } from '@millrace/engine';
import { tableOf } from '../tables/table-of-dataset.js';

interface Waiter<T> {
  readonly who: T;
  readonly go: () => void;
}

/**
 * Runs a limited number of tasks at once. The others wait in order of arrival, but tasks that are
 * urgent when a slot becomes free go first.
 */
export class Slots<T> {
  readonly #urgent: (who: T) => boolean;
  readonly #waiters: Waiter<T>[] = [];
  #free: number;

  constructor(atOnce: number, urgent: (who: T) => boolean) {
    this.#free = atOnce;
    this.#urgent = urgent;
  }

  /** Runs `work` when a slot is free. */
  async run<R>(who: T, work: () => Promise<R>): Promise<R> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((go) => this.#waiters.push({ who, go }));
    try {
      return await work();
    } finally {
      this.#pass();
    }
  }

  #pass(): void {
    const urgent = this.#waiters.findIndex(({ who }) => this.#urgent(who));
    const [next] = this.#waiters.splice(Math.max(urgent, 0), 1);
    if (next === undefined) this.#free++;
    else next.go();
  }
}

/**
 * Slots of each shard of the engine: datasets of an unreachable shard use no slots of the others.
 */
export class SlotsOfShards<T> {
  readonly #engine: Engine;
  readonly #createSlots: () => Slots<T>;
  readonly #slots = new Map<Engine, Slots<T>>();

  constructor(engine: Engine, ...slots: ConstructorParameters<typeof Slots<T>>) {
    this.#engine = engine;
    this.#createSlots = () => new Slots<T>(...slots);
  }

  /** The slots of a dataset's shard. @throws EngineError `unknown-table` */
  of(datasetId: number): Slots<T> {
    const shard = shardOf(this.#engine, tableOf(datasetId));
    const slots = this.#slots.get(shard) ?? this.#createSlots();
    this.#slots.set(shard, slots);
    return slots;
  }
}
