import { httpError } from '../../errors.js';

/** Those who wait, in order; calling one lets it go on. Whoever calls removes it first. */
export type Waiting = Set<() => void>;

/**
 * Waits until somebody lets it go on.
 * @param left called when it gives up
 * @throws HttpError `query-cancelled` if the signal aborts before that
 */
export const waitIn = (waiting: Waiting, signal: AbortSignal, left: () => void = () => {}): Promise<void> =>
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
