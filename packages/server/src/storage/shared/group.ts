import type { StoredDataset } from '../fields/dataset.js';
import type { Batch } from '../insert/queue.js';

/** A batch that has no place in the order of arrival yet. */
export type Unplaced = Omit<Batch, 'position'>;

/** Where somebody else may send the same batch, it has a place and a token of its own. */
export interface OwnPlace {
  readonly position: bigint;
  readonly token: string;
  /** Whether somebody else may have sent it. */
  readonly repeated: boolean;
}

/** A batch that is to go into the engine, and who waits for that. */
export interface Member {
  readonly batch: Unplaced;
  /** It then goes in alone. */
  readonly own?: OwnPlace;
  /** Nobody waits for it any more: its request was answered. */
  readonly isLeft: () => boolean;
  /** The engine has it, or its dataset is gone. */
  readonly stored: (position: bigint) => void;
  /** The engine has nothing of it and never will. */
  readonly refused: (error: unknown) => void;
}

/** A member with its place in the order of arrival. */
export interface Placed {
  readonly member: Member;
  readonly batch: Batch;
}

/** Batches of one dataset that go into the engine with one insert. */
export interface Group {
  readonly dataset: StoredDataset;
  /** In the order of their positions. */
  readonly placed: readonly Placed[];
  /** Names the insert; never used for anything else. */
  readonly token: string;
}

/** What became of a batch that was sent. */
export type Fate =
  /** The engine has it, or its dataset is gone. */
  | { readonly kind: 'stored' }
  /** The engine has nothing of it and never will. */
  | { readonly kind: 'refused'; readonly error: unknown }
  /** The engine has nothing of it at its place, which was given up: it needs another one. */
  | { readonly kind: 'given-up' }
  /** Nobody knows. */
  | { readonly kind: 'unknown' };

export type Fates = readonly (Placed & { readonly fate: Fate })[];

export const allOf = (placed: readonly Placed[], fate: Fate): Fates => placed.map((each) => ({ ...each, fate }));

export const batchesOf = ({ placed }: Pick<Group, 'placed'>): readonly Batch[] => placed.map(({ batch }) => batch);

/**
 * The batches of the next insert, taken from those that wait: as many as fit, or one with a place
 * of its own. Those that nobody waits for are left out.
 */
export function nextMembers(waiting: readonly Member[], insertBytes: number): readonly Member[] {
  const wanted = waiting.filter((member) => !member.isLeft());
  const [first] = wanted;
  if (first === undefined) return [];
  if (first.own !== undefined) return [first];
  let bytes = 0;
  const end = wanted.findIndex(({ batch, own }) => {
    bytes += batch.bytes;
    return own !== undefined || (bytes > insertBytes && bytes > batch.bytes);
  });
  return end < 0 ? wanted : wanted.slice(0, end);
}
