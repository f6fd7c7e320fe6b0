import { httpError } from '@millrace/api/errors';

/**
 * Callbacks of waiting callers, in order. A call lets its owner continue; the caller removes it
 * from the set first.
 */
export type WaitQueue = Set<() => void>;

/**
 * Waits until its callback is called. The signal must not be aborted yet.
 * @param left called when the signal ends the waiting
 * @throws HttpError `query-cancelled` if the signal aborts before that
 */
export const waitIn = (waiting: WaitQueue, signal: AbortSignal, left: () => void = () => {}): Promise<void> =>
  new Promise((resolve, reject) => {
    const start = (): void => {
      signal.removeEventListener('abort', leave);
      resolve();
    };
    const leave = (): void => {
      waiting.delete(start);
      left();
      reject(httpError('query-cancelled', {}));
    };
    signal.addEventListener('abort', leave, { once: true });
    waiting.add(start);
  });
