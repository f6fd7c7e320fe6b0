import { startSharedWorker, startWorker } from '../start-worker.js';
import type { FromTail, TailRequest, ToTail } from './tail-messages.js';
import tailUrl from './tail.worker.ts?worker&url';

/** Connects a page to the worker of its tail. */
interface OpenTail {
  ask(message: ToTail): void;
  close(): void;
}

/**
 * Follows a query. Tabs share one worker with its connection and events; in browsers without shared
 * workers, or without locks to detect closed tabs, each tab has its own.
 */
export function openTail(request: TailRequest, onMessage: (message: FromTail) => void): OpenTail {
  const listener = ({ data }: MessageEvent<FromTail>): void => onMessage(data);
  const shared = 'locks' in navigator ? startSharedWorker(tailUrl) : undefined;
  if (shared === undefined) {
    const own = startWorker(tailUrl);
    own.addEventListener('message', listener);
    own.postMessage({ kind: 'start', ...request } satisfies ToTail);
    return { ask: (message) => own.postMessage(message), close: () => own.terminate() };
  }
  const { port } = shared;
  const lock = `millrace-tail-${crypto.randomUUID()}`;
  let isClosed = false;
  let release = (): void => {};
  const closed = new Promise<void>((resolve) => (release = resolve));
  // Locked before the worker requests it, for the lifetime of the page.
  void navigator.locks.request(lock, () => {
    if (isClosed) return undefined;
    port.postMessage({ kind: 'start', ...request, lock } satisfies ToTail);
    return closed;
  });
  port.addEventListener('message', listener);
  port.start();
  return {
    ask: (message) => port.postMessage(message),
    close: () => {
      isClosed = true;
      port.removeEventListener('message', listener);
      port.postMessage({ kind: 'stop' } satisfies ToTail);
      release();
    },
  };
}
