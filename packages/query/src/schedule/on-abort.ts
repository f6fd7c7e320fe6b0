/**
 * Calls the listener when the signal aborts, or at once if it already has: a listener added after
 * that would never be called.
 */
export function onceAborted(signal: AbortSignal, listener: () => void): void {
  if (signal.aborted) listener();
  else signal.addEventListener('abort', listener, { once: true });
}
