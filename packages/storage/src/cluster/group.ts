import type { StoredDataset } from '../fields/dataset.js';
import type { Batch } from '../insert/queue.js';

/** A batch without a position yet. */
export type UnsequencedBatch = Omit<Batch, 'position'>;

/** Reserved position and token of a batch that another process may also send. */
export interface ReservedPosition {
  readonly position: bigint;
  readonly token: string;
  /** Whether another process may have sent it. */
  readonly repeated: boolean;
}

/** A pending batch, and the callbacks of its request. */
export interface PendingBatch {
  readonly batch: UnsequencedBatch;
  /** Such a batch has an insert of its own. */
  readonly own?: ReservedPosition;
  /** Whether its request was already answered. */
  readonly isLeft: () => boolean;
  /** Called with the position before each attempt to insert it there. */
  readonly placed: (position: bigint) => void;
  /** The engine has it, or its dataset was deleted. */
  readonly stored: (position: bigint) => void;
  /** The engine has no row of it and never will. */
  readonly refused: (error: unknown) => void;
}

/** A member with its position. */
export interface SequencedBatch {
  readonly member: PendingBatch;
  readonly batch: Batch;
}

/** Batches of one dataset that are inserted together. */
export interface Group {
  readonly dataset: StoredDataset;
  /** In the order of their positions. */
  readonly placed: readonly SequencedBatch[];
  /** Deduplication token of the insert; unique. */
  readonly token: string;
}

/** Outcome of an insert attempt. */
export type InsertOutcome =
  /** The engine has it, or its dataset was deleted. */
  | { readonly kind: 'stored' }
  /** The engine has no row of it and never will. */
  | { readonly kind: 'refused'; readonly error: unknown }
  /** The engine has no row of it at its position, which was fenced: it needs another position. */
  | { readonly kind: 'fenced' }
  /** The outcome could not be determined. */
  | { readonly kind: 'unknown' };

export type InsertOutcomes = readonly (SequencedBatch & { readonly fate: InsertOutcome })[];

export const allOf = (placed: readonly SequencedBatch[], fate: InsertOutcome): InsertOutcomes =>
  placed.map((each) => ({ ...each, fate }));

export const batchesOf = ({ placed }: Pick<Group, 'placed'>): readonly Batch[] => placed.map(({ batch }) => batch);

/**
 * Maximum batches with reserved positions whose inserts run at once, per dataset: each is a small
 * part in the engine.
 */
export const reservedAtOnce = 8;

/**
 * The batches of the next insert, as many pending ones as fit; or some with reserved positions,
 * each with an insert of its own. Batches whose requests were already answered are left out.
 */
export function takeNextGroup(waiting: readonly PendingBatch[], insertBytes: number): readonly PendingBatch[] {
  const wanted = waiting.filter((member) => !member.isLeft());
  const [first] = wanted;
  if (first === undefined) return [];
  if (first.own !== undefined) {
    const end = wanted.findIndex(({ own }) => own === undefined);
    return wanted.slice(0, Math.min(reservedAtOnce, end < 0 ? wanted.length : end));
  }
  let bytes = 0;
  const end = wanted.findIndex(({ batch, own }) => {
    bytes += batch.bytes;
    return own !== undefined || (bytes > insertBytes && bytes > batch.bytes);
  });
  return end < 0 ? wanted : wanted.slice(0, end);
}
