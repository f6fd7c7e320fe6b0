/**
 * Queue for requests of the console: a session may run ten queries at once and a browser has six
 * connections. Visible content comes first.
 */
export type RequestPriority = 'rows' | 'chart' | 'aside';

const order: readonly RequestPriority[] = ['rows', 'chart', 'aside'];
const MAX_AT_ONCE = 4;

interface QueuedRequest {
  readonly urgency: RequestPriority;
  readonly start: () => void;
}

let runningCount = 0;
let queue: readonly QueuedRequest[] = [];

function startNext(): void {
  while (runningCount < MAX_AT_ONCE && queue.length > 0) {
    const next = queue.toSorted((a, b) => order.indexOf(a.urgency) - order.indexOf(b.urgency))[0]!;
    queue = queue.filter((each) => each !== next);
    runningCount++;
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
    queue = [...queue, { urgency, start: resolve }];
    startNext();
  });
  try {
    signal?.throwIfAborted();
    return await run();
  } finally {
    runningCount--;
    startNext();
  }
}
