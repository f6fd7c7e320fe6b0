/**
 * Requests of the console take turns: a session may have ten queries at once, the browser six
 * connections, and what a person looks at comes before what stands beside it.
 */
export type Urgency = 'rows' | 'chart' | 'aside';

const order: readonly Urgency[] = ['rows', 'chart', 'aside'];
const MOST_AT_ONCE = 4;

interface Waiting {
  readonly urgency: Urgency;
  readonly start: () => void;
}

let running = 0;
let waiting: readonly Waiting[] = [];

function startNext(): void {
  while (running < MOST_AT_ONCE && waiting.length > 0) {
    const next = waiting.toSorted((a, b) => order.indexOf(a.urgency) - order.indexOf(b.urgency))[0]!;
    waiting = waiting.filter((each) => each !== next);
    running++;
    next.start();
  }
}

/** Runs when its turn comes; not at all if it is no longer wanted by then. */
export async function inTurn<T>(urgency: Urgency, signal: AbortSignal | undefined, run: () => Promise<T>): Promise<T> {
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
