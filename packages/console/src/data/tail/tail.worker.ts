/// <reference lib="webworker" />
import { followTail } from './followed-tail.js';
import { createTailHost, type TailPort } from './tail-host.js';
import type { FromTail, ToTail } from './tail-messages.js';

/**
 * Follows tails away from the pages: what nobody looks at costs them nothing, and tabs of a browser
 * share it where the browser can do that.
 */

/** No eye follows more changes a second. */
const TELL_MILLISECONDS = 100;
/** The rate falls and the age grows also while nothing comes. */
const TELL_ALL_MILLISECONDS = 1000;

const host = createTailHost(followTail);

interface Line {
  postMessage(message: FromTail): void;
  addEventListener(type: 'message', listener: (event: MessageEvent<ToTail>) => void): void;
}

function serve(line: Line): void {
  const port: TailPort = { post: (message) => line.postMessage(message) };
  line.addEventListener('message', ({ data }) => {
    host.hear(port, data);
    // A page that is closed or crashes says nothing, but its lock becomes free.
    if (data.kind === 'start' && data.lock !== undefined)
      void navigator.locks.request(data.lock, () => host.hear(port, { kind: 'stop' }));
  });
}

// One worker for all tabs is told about each; one for a single tab is its own line.
if ('onconnect' in globalThis)
  globalThis.addEventListener('connect', (event) => {
    const [line] = (event as MessageEvent).ports;
    serve(line!);
    line!.start();
  });
else serve(globalThis);

setInterval(() => host.tell(false), TELL_MILLISECONDS);
setInterval(() => host.tell(true), TELL_ALL_MILLISECONDS);
