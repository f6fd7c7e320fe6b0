import { getPriority, setPriority } from 'node:os';
import { ownThread } from './thread-clock.js';

/** With so much more niceness a thread gets a third of what another one gets that wants as much. */
const nicer = 5;
const nicest = 19;

/**
 * From here on this thread gives way to all others, as far as the system can do that. Whoever pours
 * in large bodies keeps such threads busy all the time; those that answer everybody else, here and
 * in the engine, must not wait for a processor because of that.
 */
export function giveWay(): void {
  const thread = ownThread();
  if (thread === 0) return;
  try {
    setPriority(thread, Math.min(nicest, getPriority(thread) + nicer));
  } catch {
    // Nobody is worse off than without it.
  }
}
