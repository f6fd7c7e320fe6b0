/**
 * Work is counted while it is done, so that a caller who keeps others waiting can say when it is
 * too much. The count is of this module, not of a query: parser, binder and lowering are
 * synchronous, and none of them would have anything to say about the one that is handed through.
 */
let remainingUnits = Number.POSITIVE_INFINITY;

/** The body of {@link withBudget} exceeded its budget. Its work is lost. */
export class BudgetExceeded extends Error {
  override readonly name = 'BudgetExceeded';

  constructor() {
    super('this is more work than its caller gave it');
  }
}

/**
 * Runs `body` with a budget of work: a unit is the work of binding a plain expression, some ten
 * microseconds.
 * @throws BudgetExceeded
 */
export function withBudget<T>(units: number, body: () => T): T {
  const before = remainingUnits;
  remainingUnits = Math.min(before, units);
  try {
    return body();
  } finally {
    remainingUnits = before;
  }
}

/**
 * Counts work that is about to be done.
 * @throws BudgetExceeded
 */
export function consume(units: number): void {
  remainingUnits -= units;
  if (remainingUnits < 0) throw new BudgetExceeded();
}

/** Iterates over values and spends `units` for each. */
export function* consumeEach<T>(things: Iterable<T>, units: number): Generator<T> {
  for (const thing of things) {
    consume(units);
    yield thing;
  }
}
