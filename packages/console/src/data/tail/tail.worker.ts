/// <reference lib="webworker" />
import { followTail } from './tail-subscription.js';
import { createTailHost, type TailPort } from './tail-host.js';
import type { FromTail, ToTail } from './tail-messages.js';

/** Follows tails off the main thread; where supported, tabs share this worker. */

/** More updates per second are not visible. */
const TELL_MILLISECONDS = 100;
/** Rate and age also change while idle. */
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
    // A page that closes or crashes sends nothing, but releases its lock.
    if (data.kind === 'start' && data.lock !== undefined)
      void navigator.locks.request(data.lock, () => host.hear(port, { kind: 'stop' }));
  });
}

// A shared worker gets a port per tab; a dedicated one is its own port.
if ('onconnect' in globalThis)
  globalThis.addEventListener('connect', (event) => {
    const [line] = (event as MessageEvent).ports;
    serve(line!);
    line!.start();
  });
else serve(globalThis);

setInterval(() => host.tell(false), TELL_MILLISECONDS);
setInterval(() => host.tell(true), TELL_ALL_MILLISECONDS);
