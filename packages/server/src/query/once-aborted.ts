/** Calls the listener when the signal aborts, and at once if it has: one that is added too late would never be told. */
export function onceAborted(signal: AbortSignal, listener: () => void): void {
  if (signal.aborted) listener();
  else signal.addEventListener('abort', listener, { once: true });
}
