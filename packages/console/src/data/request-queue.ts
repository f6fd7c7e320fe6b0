/**
 * Queue for requests of the console: a session may run ten queries at once and a browser has six
 * connections. Visible content comes first.
 */
export type RequestPriority = 'rows' | 'chart' | 'aside';

const order: readonly RequestPriority[] = ['rows', 'chart', 'aside'];
const MAX_AT_ONCE = 4;

interface Waiting {
  readonly urgency: RequestPriority;
  readonly start: () => void;
}

let running = 0;
let waiting: readonly Waiting[] = [];

function startNext(): void {
  while (running < MAX_AT_ONCE && waiting.length > 0) {
    const next = waiting.toSorted((a, b) => order.indexOf(a.urgency) - order.indexOf(b.urgency))[0]!;
    waiting = waiting.filter((each) => each !== next);
    running++;
    next.start();
  }
}

/** Runs when a slot is free, unless aborted by then. */
export async function enqueueRequest<T>(
  urgency: RequestPriority,
  signal: AbortSignal | undefined,
  run: () => Promise<T>,
): Promise<T> {
  await new Promise<void>((resolve) => {
    waiting = [...waiting, { urgency, start: resolve }];
    startNext();
  });
  try {
    signal?.throwIfAborted();
    return await run();
  } finally {
    running--;
    startNext();
  }
}
