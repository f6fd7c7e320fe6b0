import { BudgetExceeded } from '@millrace/apl';
import { EngineError, type EngineErrorCode } from '@millrace/engine';
import { DatasetDeleted } from '@millrace/storage/readers';

/**
 * All reasons for which a query, or a part of it, runs again. Below this, `ConsistentReads` repeats
 * a read that an insert overtook, and the engine repeats statements after broken connections.
 */
interface RetryReason {
  /**
   * What runs again: the query from its preparation, its compilation, its work in a slot, its plan,
   * or some of its statements.
   */
  readonly repeats: 'query' | 'compilation' | 'slot' | 'plan' | 'statements';
  readonly maxRetries: number;
  /** The errors that are this reason; absent if the result shows it: see `RetryNeeded`. */
  readonly causedBy?: (error: unknown) => boolean;
}

const hasCode =
  (...codes: readonly EngineErrorCode[]) =>
  (error: unknown): boolean =>
    error instanceof EngineError && codes.includes(error.code);

const reasons = {
  // A query of a wildcard may read many datasets; it continues with the remaining ones.
  'dataset-deleted': {
    repeats: 'query',
    maxRetries: Infinity,
    causedBy: (error) => error instanceof DatasetDeleted,
  },
  // A vacuum dropped a column that no event uses, between preparation and execution.
  'schema-changed': { repeats: 'query', maxRetries: 1, causedBy: hasCode('unknown-column', 'unknown-table') },
  // A long-polled request has no result yet.
  'no-match-yet': { repeats: 'query', maxRetries: Infinity },
  // The query takes too long to compile on the main thread; a thread compiles it.
  'compile-budget': {
    repeats: 'compilation',
    maxRetries: 1,
    causedBy: (error) => error instanceof BudgetExceeded,
  },
  // How much memory a query needs is known only when its grant is too small.
  'memory-grant': { repeats: 'slot', maxRetries: 1, causedBy: hasCode('memory-limit') },
  // Fields are known once their events are acknowledged; columns exist once those are flushed.
  'column-not-flushed': { repeats: 'plan', maxRetries: 1, causedBy: hasCode('unknown-column') },
  // An event outside the range arrived while the query ran without the range's bounds.
  'event-outside-range': { repeats: 'plan', maxRetries: 1 },
  // The newest partitions have fewer rows than expected.
  'page-not-full': { repeats: 'statements', maxRetries: 1 },
  // One statement for the result and its totals has too many groups, or needs too much memory; each
  // may be small enough alone. If the limit on rows read was exceeded, both fail too.
  'combined-too-large': { repeats: 'statements', maxRetries: 1, causedBy: hasCode('rows-limit', 'memory-limit') },
  // Parts with deleted events have no times as metadata, and too many events to read them all.
  'times-not-indexed': { repeats: 'statements', maxRetries: 1, causedBy: hasCode('rows-limit') },
} as const satisfies Readonly<Record<string, RetryReason>>;

export type RetryReasonName = keyof typeof reasons;

/** Thrown by an attempt whose result shows that it must run again. */
export class RetryNeeded extends Error {
  readonly reason: RetryReasonName;

  constructor(reason: RetryReasonName) {
    super(`the query must run again: ${reason}`);
    this.reason = reason;
  }
}

/** Why an attempt is not the first. */
interface Retry {
  readonly reason: RetryReasonName;
  /** The error of the previous attempt. */
  readonly error: unknown;
}

/** Whether an error is a reason to run again. */
export function isCause(reason: RetryReasonName, error: unknown): boolean {
  if (error instanceof RetryNeeded) return error.reason === reason;
  const { causedBy }: RetryReason = reasons[reason];
  return causedBy?.(error) === true;
}

/**
 * Runs an attempt, again for each of some reasons, as often as the reason allows. Of several
 * reasons that an error is, the first counts.
 * @throws the error of the last attempt
 */
export async function retry<T>(
  names: readonly RetryReasonName[],
  attempt: (previous?: Retry) => Promise<T>,
): Promise<T> {
  const retries = new Map<RetryReasonName, number>();
  for (let previous: Retry | undefined; ;) {
    try {
      return await attempt(previous);
    } catch (error) {
      const reason = names.find((name) => isCause(name, error));
      if (reason === undefined) throw error;
      const count = (retries.get(reason) ?? 0) + 1;
      if (count > reasons[reason].maxRetries) throw error;
      retries.set(reason, count);
      previous = { reason, error };
    }
  }
}
