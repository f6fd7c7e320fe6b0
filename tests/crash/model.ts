import { type BatchShape, type Event, eventsOf, sizeOf } from './events.js';
import { Gate } from './gate.js';

/** What the clients know: what they sent, what was promised to them, and what must therefore be there. */

/**
 * - `sent`: no answer yet
 * - `acknowledged`: answered 200, must be there whole, once, for good
 * - `unknown`: the connection broke or the server could not take it: wholly there or not at all, to be seen at the next look
 * - `there`, `absent`: what the look at an unknown one said; it must stay so
 */
export type Fate = 'sent' | 'acknowledged' | 'unknown' | 'there' | 'absent';

/** What of a batch is to be found: how many events, and the sums of two of their fields. */
export interface Extent {
  readonly events: number;
  readonly rows: number;
  readonly check: number;
}

/** Tells which events of a batch a deletion leaves. */
export type Survives = (event: Event) => boolean;

/** A deletion that was begun and not answered: what it takes may be there or not. */
export interface Deletion {
  readonly survives: Survives;
  /** What it leaves. */
  readonly extent: Extent;
  /** The query to repeat it with; absent for one that is a part of a trim. */
  readonly apl?: string;
}

export interface Batch extends BatchShape {
  readonly key: string | undefined;
  fate: Fate;
  /** Deletions that have been answered. */
  survives: Survives;
  extent: Extent;
  deleting: Deletion | undefined;
  /** Every value was compared since it was last written. */
  compared: boolean;
}

/** Something done to a whole dataset that was begun and has to be brought to its end. */
export type Interrupted =
  | { readonly kind: 'trim'; readonly before: number }
  | { readonly kind: 'drop' }
  | { readonly kind: 'create' };

export class Dataset {
  readonly name: string;
  readonly batches = new Map<number, Batch>();
  /** Whoever sends or asks passes one by one; who changes the whole goes alone. */
  readonly gate = new Gate();
  interrupted: Interrupted | undefined = { kind: 'create' };
  /** It has grown enough and is to be dropped when a client comes by. */
  full = false;

  constructor(name: string) {
    this.name = name;
  }

  /** Whether it is there cannot be known before its deletion has been brought to its end. */
  get gone(): boolean {
    return this.interrupted?.kind === 'drop' || this.interrupted?.kind === 'create';
  }

  /** Events that may be there. */
  get events(): number {
    let sum = 0;
    for (const { fate, extent } of this.batches.values()) if (fate !== 'absent') sum += extent.events;
    return sum;
  }

  /** Batches that are certain to be there, or were once. */
  certain(): readonly Batch[] {
    return [...this.batches.values()].filter(({ fate }) => fate === 'acknowledged' || fate === 'there');
  }
}

export class Model {
  readonly seed: number;
  readonly datasets: readonly Dataset[];
  #nextBatch = 1;

  constructor(seed: number, names: readonly string[]) {
    this.seed = seed;
    this.datasets = names.map((name) => new Dataset(name));
  }

  /** A batch that is about to be sent. */
  newBatch(dataset: Dataset, keyed: boolean): { readonly batch: Batch; readonly events: readonly Event[] } {
    const id = this.#nextBatch++;
    const shape = { seed: this.seed, id, size: sizeOf(this.seed, id) };
    const events = eventsOf(shape);
    const batch: Batch = {
      ...shape,
      key: keyed ? `batch-${id}` : undefined,
      fate: 'sent',
      survives: () => true,
      extent: extentOf(events),
      deleting: undefined,
      compared: false,
    };
    dataset.batches.set(id, batch);
    return { batch, events };
  }
}

const extentOf = (events: readonly Event[]): Extent => ({
  events: events.length,
  rows: events.reduce((sum, { row }) => sum + row, 0),
  check: events.reduce((sum, { n }) => sum + n, 0),
});

export const sameExtent = (a: Extent, b: Extent): boolean =>
  a.events === b.events && a.rows === b.rows && a.check === b.check;

/** The events of a batch that have not been deleted. */
export const survivorsOf = (batch: Batch): readonly Event[] => eventsOf(batch).filter(batch.survives);

/** Notes a deletion before it is asked for. */
export function beginDeletion(batch: Batch, leaves: Survives, apl?: string): void {
  const before = batch.survives;
  const survives: Survives = (event) => before(event) && leaves(event);
  const extent = extentOf(eventsOf(batch).filter(survives));
  batch.deleting = { survives, extent, ...(apl !== undefined && { apl }) };
}

/** The deletion was answered: what it took must not come back. */
export function endDeletion(batch: Batch): void {
  if (batch.deleting === undefined) return;
  batch.survives = batch.deleting.survives;
  batch.extent = batch.deleting.extent;
  batch.deleting = undefined;
}
