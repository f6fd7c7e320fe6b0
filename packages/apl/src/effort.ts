/**
 * Work is counted while it is done, so that a caller who keeps others waiting can say when it is
 * too much. The count is of this module, not of a query: parser, binder and lowering are
 * synchronous, and none of them would have anything to say about the one that is handed through.
 */
let left = Number.POSITIVE_INFINITY;

/** The body of {@link within} needs more than it was given. What it has done so far is lost. */
export class TooMuchEffort extends Error {
  override readonly name = 'TooMuchEffort';

  constructor() {
    super('this is more work than its caller gave it');
  }
}

/**
 * Runs `body`, which may do so much work: a unit is what binding a plain expression takes, some ten
 * microseconds.
 * @throws TooMuchEffort
 */
export function within<T>(units: number, body: () => T): T {
  const before = left;
  left = Math.min(before, units);
  try {
    return body();
  } finally {
    left = before;
  }
}

/**
 * Counts work that is about to be done.
 * @throws TooMuchEffort
 */
export function spend(units: number): void {
  left -= units;
  if (left < 0) throw new TooMuchEffort();
}

/** The same things, each counted when it is asked for. */
export function* counted<T>(things: Iterable<T>, units: number): Generator<T> {
  for (const thing of things) {
    spend(units);
    yield thing;
  }
}
