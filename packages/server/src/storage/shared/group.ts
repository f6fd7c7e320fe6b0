import type { StoredDataset } from '../fields/dataset.js';
import type { Batch } from '../insert/queue.js';

/** A batch that is to go into the engine, and who waits for that. */
export interface Member {
  readonly batch: Batch;
  /** The token of its insert, where it needs one of its own: it then goes in alone. */
  readonly token?: string;
  /** Nobody waits for it any more: its request was answered. */
  readonly isLeft: () => boolean;
  /** The engine has it, or its dataset is gone. */
  readonly stored: () => void;
  /** The engine has nothing of it and never will. */
  readonly refused: (error: unknown) => void;
}

/** Batches of one dataset that go into the engine with one insert. */
export interface Group {
  readonly dataset: StoredDataset;
  readonly members: readonly Member[];
  /** Names the insert; never used for anything else. */
  readonly token: string;
}

export const batchesOf = ({ members }: Pick<Group, 'members'>): readonly Batch[] => members.map(({ batch }) => batch);

/**
 * The batches of the next insert, taken from those that wait: as many as fit, or one with a token
 * of its own. Those that nobody waits for are left out.
 */
export function nextMembers(waiting: readonly Member[], insertBytes: number): readonly Member[] {
  const wanted = waiting.filter((member) => !member.isLeft());
  const [first] = wanted;
  if (first === undefined) return [];
  if (first.token !== undefined) return [first];
  let bytes = 0;
  const end = wanted.findIndex(({ batch, token }) => {
    bytes += batch.bytes;
    return token !== undefined || (bytes > insertBytes && bytes > batch.bytes);
  });
  return end < 0 ? wanted : wanted.slice(0, end);
}
