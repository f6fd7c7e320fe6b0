import { useState } from 'react';
import type { TailState } from '../../data/tail/tail-messages.js';

interface View {
  readonly isPaused: boolean;
  /** Number of the first event in view. */
  readonly base: number;
  /** Events in view. */
  readonly rows: number;
  /** Events since the pause. */
  readonly newer: number;
  /** Evicted events of those in view at the pause. */
  readonly gone: number;
  /** Time of the pause in milliseconds since the epoch. */
  readonly at: number;
  readonly pause: () => void;
  readonly resume: () => void;
}

/**
 * A running view has only the newest rows. A paused view has all events of the buffer at that time,
 * and stays.
 */
export function usePaused(state: TailState | undefined): View {
  const [frozen, setFrozen] = useState<{ readonly first: number; readonly next: number; readonly at: number }>();
  const [first, next] = [state?.first ?? 0, state?.next ?? 0];
  const pause = (): void => setFrozen((before) => before ?? { first, next, at: Date.now() });
  const resume = (): void => setFrozen(undefined);
  // A restarted tail counts from 0 again.
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
