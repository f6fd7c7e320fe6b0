import type { Silence } from '@millrace/api/schemas/silence';
import type { RunWindow } from '../evaluate/evaluate.js';
import type { Change } from '../state/transition.js';
import { isSilenced } from './active-silences.js';

/** What receivers learn of a run while some groups are silenced. The history has all changes. */

/** A change, with its run if that was made up later. */
export interface AudibleChange extends Change {
  /** Milliseconds since the epoch. */
  readonly time?: number;
  readonly window?: RunWindow;
}

interface Audible {
  readonly changes: readonly AudibleChange[];
  /** Everything open that is not silenced; undefined if that is unknown. */
  readonly open: readonly Change[] | undefined;
  /** Open groups that are silenced. */
  readonly silenced: readonly string[];
}

/**
 * A group that becomes silenced is closed at receivers. One that is still open at the end of the
 * silence is opened again.
 * @param before open groups that were silenced in the previous run
 */
export function audibleChanges(
  { changes, open, before }: Omit<Audible, 'silenced'> & { readonly before: readonly string[] },
  silences: readonly Silence[],
): Audible {
  if (before.length === 0 && silences.length === 0) return { changes, open, silenced: [] };
  const wereSilenced = new Set(before);
  // Receivers do not know these groups.
  const known = changes.filter(({ action, group }) => action === 'Open' || !wereSilenced.has(group));
  if (open === undefined) return { changes: known, open, silenced: before };
  const silenced = open.filter((change) => isSilenced(change, silences));
  const groups = new Set(silenced.map(({ group }) => group));
  const opened = new Set(changes.filter(({ action, again }) => action === 'Open' && !again).map(({ group }) => group));
  const closings = silenced
    .filter(({ group }) => !wereSilenced.has(group) && !opened.has(group))
    .map((change): Change => ({ ...change, action: 'Closed', why: 'silenced', again: false }));
  const openings = open
    .filter(({ group }) => wereSilenced.has(group) && !groups.has(group) && !opened.has(group))
    .map((change): Change => ({ ...change, again: false }));
  return {
    changes: [
      ...known.filter(({ action, group }) => action === 'Closed' || !groups.has(group)),
      ...closings,
      ...openings,
    ],
    open: open.filter(({ group }) => !groups.has(group)),
    silenced: [...groups],
  };
}
