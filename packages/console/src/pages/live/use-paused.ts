import { useState } from 'react';
import type { TailState } from '../../data/tail/tail-messages.js';

interface View {
  readonly isPaused: boolean;
  /** Number of the first event in view. */
  readonly base: number;
  /** How many are in view. */
  readonly rows: number;
  /** Events that came since it was paused. */
  readonly newer: number;
  /** Of those in view when it was paused, how many are gone by now. */
  readonly gone: number;
  /** When it was paused, in milliseconds since the epoch. */
  readonly at: number;
  readonly pause: () => void;
  readonly resume: () => void;
}

/**
 * While it runs, the view has the newest rows only. Paused, it has all that were kept at that
 * moment, and stays as it is.
 */
export function usePaused(state: TailState | undefined): View {
  const [frozen, setFrozen] = useState<{ readonly first: number; readonly next: number; readonly at: number }>();
  const [first, next] = [state?.first ?? 0, state?.next ?? 0];
  const pause = (): void => setFrozen((before) => before ?? { first, next, at: Date.now() });
  const resume = (): void => setFrozen(undefined);
  // A tail that was started anew counts from 0 again.
  const held = frozen !== undefined && frozen.next <= next ? frozen : undefined;
  if (held === undefined) {
    const rows = state?.newest.length ?? 0;
    return { isPaused: false, base: next - rows, rows, newer: 0, gone: 0, at: 0, pause, resume };
  }
  return {
    isPaused: true,
    base: held.first,
    rows: held.next - held.first,
    newer: next - held.next,
    gone: Math.max(0, Math.min(first, held.next) - held.first),
    at: held.at,
    pause,
    resume,
  };
}
