import { type BatchShape, type Event, eventsOf, sizeOf } from './events.js';
import { Gate } from './gate.js';

/**
 * State of the clients: what they sent, what was acknowledged, and what must therefore be stored.
 */

/**
 * - `sent`: no response yet
 * - `acknowledged`: got a 200; must be stored completely, once, permanently
 * - `unknown`: the connection broke or the server rejected it; must be stored completely or not at
 * all, which the next verification determines
 * - `there`, `absent`: outcome of an unknown batch according to the verification; must not change
 */
export type Fate = 'sent' | 'acknowledged' | 'unknown' | 'there' | 'absent';

/** The stored part of a batch: the number of its events, and the sums of two of their fields. */
export interface Extent {
  readonly events: number;
  readonly rows: number;
  readonly check: number;
}

/** Whether a deletion leaves an event. */
export type Survives = (event: Event) => boolean;

/** A deletion without a response: the events it deletes may be stored or not. */
export interface Deletion {
  readonly survives: Survives;
  /** The extent of the remaining events. */
  readonly extent: Extent;
  /** The query with which to repeat it; absent if it is part of a trim. */
  readonly apl?: string;
}

export interface Batch extends BatchShape {
  readonly key: string | undefined;
  fate: Fate;
  /** Events that remain after all confirmed deletions. */
  survives: Survives;
  extent: Extent;
  deleting: Deletion | undefined;
  /** Whether every value has been compared since the batch was last written. */
  compared: boolean;
}

/** An operation on a complete dataset that was interrupted and must be finished. */
export type InterruptedOperation =
  | { readonly kind: 'trim'; readonly before: number }
  | { readonly kind: 'drop' }
  | { readonly kind: 'create' };

export class Dataset {
  readonly name: string;
  readonly batches = new Map<number, Batch>();
  /**
   * Clients that send or query share it; one that changes the complete dataset takes it
   * exclusively.
   */
  readonly gate = new Gate();
  interruptedOperation: InterruptedOperation | undefined = { kind: 'create' };
  /** Whether it has grown enough and the next client should drop it. */
  full = false;

  constructor(name: string) {
    this.name = name;
  }

  /** Whether its creation or deletion is in progress, so that its existence is unknown. */
  get gone(): boolean {
    return this.interruptedOperation?.kind === 'drop' || this.interruptedOperation?.kind === 'create';
  }

  /** Number of events that may be there. */
  get events(): number {
    let sum = 0;
    for (const { fate, extent } of this.batches.values()) if (fate !== 'absent') sum += extent.events;
    return sum;
  }

  /** Batches that are certainly there, or once were. */
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

/** Notes a deletion before it is requested. */
export function beginDeletion(batch: Batch, leaves: Survives, apl?: string): void {
  const before = batch.survives;
  const survives: Survives = (event) => before(event) && leaves(event);
  const extent = extentOf(eventsOf(batch).filter(survives));
  batch.deleting = { survives, extent, ...(apl !== undefined && { apl }) };
}

/** Records that a deletion was confirmed: the deleted events must not come back. */
export function endDeletion(batch: Batch): void {
  if (batch.deleting === undefined) return;
  batch.survives = batch.deleting.survives;
  batch.extent = batch.deleting.extent;
  batch.deleting = undefined;
}
