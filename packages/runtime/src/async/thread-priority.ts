import { getPriority, setPriority } from 'node:os';
import { currentThread } from './thread-clock.js';

/** With this much more niceness, a thread gets a third of the time of another busy thread. */
const nicer = 5;
const nicest = 19;

/**
 * Lowers the priority of the current thread, if the system allows it. Large bodies can keep such
 * threads busy all the time; the threads that respond to other requests, here and in the engine,
 * must not wait for a processor because of them.
 */
export function lowerThreadPriority(): void {
  const thread = currentThread();
  if (thread === 0) return;
  try {
    setPriority(thread, Math.min(nicest, getPriority(thread) + nicer));
  } catch {
    // Best effort; failures are ignored.
  }
}
