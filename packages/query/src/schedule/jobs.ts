import type { AuthenticatedPrincipal, Principal } from '@millrace/http/access/authorize';
import { quotaKey } from '@millrace/http/access/identity';
import { limitHeaders, type RateAnswer } from '@millrace/http/access/rate-limit';
import { httpError } from '@millrace/api/errors';
import type { Metrics } from '@millrace/http/metrics';
import type { RequestContext } from '@millrace/http/route';
import { ConcurrencyLimiter, type AcquiredBy } from './concurrency-limiter.js';
import { onceAborted } from './on-abort.js';
import type { ExportSlots } from './export-slots.js';
import { type Phase, type PhaseTimes, QueryTime } from './query-time.js';
import type { QueryScheduler, MemoryGrant } from './query-scheduler.js';

/** A query that waits or runs, as its owner sees it. */
export interface Job {
  readonly id: string;
  readonly kind: 'apl' | 'mpl' | 'promql' | 'logql' | 'structured' | 'export' | 'tail';
  /** The APL, MPL, PromQL or LogQL, or the body of a structured query as JSON. */
  readonly text: string;
  readonly owner: AuthenticatedPrincipal;
  /** Milliseconds since the epoch. */
  readonly started: number;
  state: 'waiting' | 'running';
}

/**
 * Whether a query is the reader's own: run with the same token or, if the reader's is personal,
 * with any token of its user. API tokens do not see one another's queries.
 */
export const isOwnedBy = (owner: Pick<AuthenticatedPrincipal, 'tokenId' | 'userId'>, reader: Principal): boolean =>
  reader.kind !== 'anonymous' &&
  (reader.tokenId === owner.tokenId || (reader.kind === 'personal-token' && reader.userId === owner.userId));

type JobCall = Pick<RequestContext, 'principal' | 'traceId' | 'abort'> & Partial<Pick<RequestContext, 'timed'>>;

function ownerOf({ principal }: JobCall): AuthenticatedPrincipal {
  if (principal.kind === 'anonymous') throw new Error('queries need a token');
  return principal;
}

/** Streams from the engine until the signal aborts, with so much of its memory. */
type ReadWithin = (signal: AbortSignal, memoryBytes: number) => AsyncIterable<Uint8Array>;

/** Interface to the execution of a query, for its code. */
export interface QueryExecution {
  /** That of its job. */
  readonly id: string;
  /** The quota key: a token, or a session of one. */
  readonly token: string;
  /** Aborts when the client disconnects or a user cancels the query. */
  readonly signal: AbortSignal;
  /**
   * Runs work on the engine in the token's turn.
   * @param work gets its deadline, by `performance.now()`: the time the query has left. Waiting for
   * the turn does not count. Work that exceeds its memory grant is retried from the beginning with
   * a larger one.
   */
  runInSlot<T>(work: (deadline: number, grant: MemoryGrant) => Promise<T>): Promise<T>;
  /** Like `turn`, for a page of a tail, which waits for pages of this token's other tails. */
  runPage<T>(work: (deadline: number, grant: MemoryGrant) => Promise<T>): Promise<T>;
  /**
   * Streams from the engine once this token gets a slot, and holds the slot for as long as the
   * reader takes. A stream that exceeds its memory grant before its first chunk is retried, like
   * work of a turn.
   */
  stream(signal: AbortSignal, read: ReadWithin): AsyncIterable<Uint8Array>;
  /**
   * Does work outside of a turn that counts as a phase of the query.
   * @param work gets a signal that also aborts when the time for the phase is over
   * @throws HttpError `query-waited-too-long`, `query-cancelled`; EngineError `time-limit`
   */
  runPhase<T>(phase: Phase, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Milliseconds in each phase so far. */
  spent(): PhaseTimes;
  /** Restarts the time limits of the query for another attempt. */
  resetDeadline(): void;
}

/** A job that its holder ends; ending it again does nothing. */
export interface OwnedExecution extends QueryExecution {
  end(outcome: 'ok' | 'failed' | 'cancelled'): void;
}

/**
 * The count resets with the next second, because a query that ends frees its slot at once. Seconds
 * since the epoch.
 */
const reset = (): number => Math.floor(Date.now() / 1000) + 1;

export interface JobsOptions {
  /** Turns on the engine, also for the queries of other organizations. */
  readonly scheduler: QueryScheduler;
  /** Queries one token may have waiting or running. */
  readonly maxConcurrentQueries: number;
  /** How long a query may be compiled and run, in all of its turns together, milliseconds. */
  readonly queryTimeout: number;
  /** How long it may wait, milliseconds. */
  readonly queryWaitTimeout: number;
  /** For exports. */
  readonly exportSlots: ExportSlots;
  /** Queries of all tokens together that may wait or run. Default: unlimited. */
  readonly maxQueries?: () => number;
  /** Memory of the engine for one statement. Default: what is granted. */
  readonly maxQueryBytes?: () => number;
  readonly metrics: Metrics;
}

/**
 * Every query that waits or runs: how many a token may have, whose turn it is, and a way to stop
 * each.
 */
export class Jobs {
  readonly #perToken: number;
  readonly #allowance: ConcurrencyLimiter;
  readonly #limits: { readonly work: number; readonly waiting: number };
  readonly #engine: QueryScheduler;
  readonly #maxQueryBytes: () => number;
  readonly #maxQueries: () => number;
  readonly #exportSlots: ExportSlots;
  readonly #metrics: Metrics;
  readonly #jobs = new Map<string, { readonly job: Job; readonly abort: AbortController }>();

  constructor(options: JobsOptions) {
    const { scheduler, maxConcurrentQueries, exportSlots, metrics } = options;
    this.#perToken = maxConcurrentQueries;
    this.#allowance = new ConcurrencyLimiter(maxConcurrentQueries);
    this.#limits = { work: options.queryTimeout, waiting: options.queryWaitTimeout };
    this.#engine = scheduler;
    this.#maxQueryBytes = options.maxQueryBytes ?? (() => Number.POSITIVE_INFINITY);
    this.#maxQueries = options.maxQueries ?? (() => Number.POSITIVE_INFINITY);
    this.#exportSlots = exportSlots;
    this.#metrics = metrics;
    metrics.gauge('queries_running', () => this.#jobs.size);
  }

  /**
   * Runs the code of a query as a job that ends with it.
   * @throws HttpError `too-many-queries`, and errors of `work`
   */
  async run<T>(
    call: JobCall,
    about: Pick<Job, 'kind' | 'text'>,
    work: (execution: QueryExecution) => Promise<T>,
  ): Promise<T> {
    const open = this.begin(call, about);
    let outcome: 'ok' | 'failed' = 'failed';
    try {
      const result = await work(open);
      outcome = 'ok';
      return result;
    } finally {
      open.end(outcome);
    }
  }

  /**
   * Begins a job that the caller ends: for responses that continue after the handler has returned.
   * @throws HttpError `too-many-queries`
   */
  begin(call: JobCall, about: Pick<Job, 'kind' | 'text'>): OwnedExecution {
    this.#requireOrgRoom();
    if (!this.#allowance.acquire(quotaKey(ownerOf(call)))) throw this.#tooMany();
    return this.#execution(call, about, 'at-once');
  }

  /**
   * Begins a job like `begin`, but waits for a slot instead of being rejected: in arrival order,
   * and without starvation while queries of its token end, see `ConcurrencyLimiter`.
   * @throws HttpError `query-cancelled` if the request ends before that
   */
  async beginLater(call: JobCall, about: Pick<Job, 'kind' | 'text'>): Promise<OwnedExecution> {
    this.#requireOrgRoom();
    await this.#allowance.acquireQueued(quotaKey(ownerOf(call)), call.abort.signal);
    return this.#execution(call, about, 'later');
  }

  #execution(call: JobCall, about: Pick<Job, 'kind' | 'text'>, acquiredBy: AcquiredBy): OwnedExecution {
    const { traceId, abort } = call;
    const owner = ownerOf(call);
    const party = quotaKey(owner);
    // The request's own signal: one more, and everything attached to it, would live until a full
    // garbage collection.
    const { signal } = abort;
    const id = this.#idOf(traceId);
    const job: Job = { id, ...about, owner, started: Date.now(), state: 'waiting' };
    this.#jobs.set(id, { job, abort });
    const began = performance.now();
    let ended = false;
    const time = new QueryTime(this.#limits);
    call.timed?.(() => time.spent());
    const end: OwnedExecution['end'] = (outcome) => {
      if (ended) return;
      ended = true;
      this.#jobs.delete(id);
      this.#allowance.release(party, acquiredBy);
      this.#metrics.count('queries_total', 1, { outcome: signal.aborted ? 'cancelled' : outcome });
      this.#metrics.observe('query_seconds', (performance.now() - began) / 1000);
    };
    // End the job on abort, because a response without a reader may never end. First let the
    // aborted requests leave the queue: the released slot is not for queries of the same request.
    onceAborted(signal, () => queueMicrotask(() => end('cancelled')));
    const runPhase: QueryExecution['runPhase'] = (phase, work) => time.within(phase, signal, work);
    const withinSlot =
      <T>(work: (deadline: number, grant: MemoryGrant) => Promise<T>) =>
      (grant: MemoryGrant): Promise<T> =>
        runPhase('running', async () => {
          job.state = 'running';
          try {
            const memoryBytes = Math.min(grant.memoryBytes, this.#maxQueryBytes());
            return await work(performance.now() + time.left, { ...grant, memoryBytes });
          } finally {
            job.state = 'waiting';
          }
        });
    return {
      id,
      token: party,
      signal,
      runInSlot: (work) =>
        runPhase('waiting', (waits) => this.#engine.run({ quotaKey: party, signal: waits }, withinSlot(work))),
      runPage: (work) =>
        runPhase('waiting', (waits) => this.#engine.runPage({ quotaKey: party, signal: waits }, withinSlot(work))),
      stream: (within, read) =>
        this.#exportSlots.stream(party, within, (ending) => {
          job.state = 'running';
          return this.#engine.stream({ quotaKey: party, signal: ending }, (memoryBytes) =>
            read(ending, Math.min(memoryBytes, this.#maxQueryBytes())),
          );
        }),
      runPhase,
      spent: () => time.spent(),
      resetDeadline: () => time.restart(),
      end,
    };
  }

  /** Oldest first. */
  list(): readonly Job[] {
    return [...this.#jobs.values()].map(({ job }) => job);
  }

  find(id: string): Job | undefined {
    return this.#jobs.get(id)?.job;
  }

  /**
   * Stops a query and all others of its request; the request is answered with the error of a
   * stopped query.
   */
  stop(id: string): void {
    this.#jobs.get(id)?.abort.abort();
  }

  /** `X-QueryLimit-…` for a response to a token. */
  headers({ principal }: Pick<RequestContext, 'principal'>): Record<string, string> {
    const used = principal.kind === 'anonymous' ? 0 : this.#allowance.countFor(quotaKey(principal));
    return limitHeaders('Query', this.#answer(used));
  }

  #answer(used: number): RateAnswer {
    const limit = this.#perToken;
    return { allowed: used < limit, limit, remaining: Math.max(0, limit - used), reset: reset() };
  }

  /** @throws HttpError `org-quota-reached` when the queries of all tokens together are too many */
  #requireOrgRoom(): void {
    const limit = this.#maxQueries();
    if (this.#jobs.size < limit) return;
    const problem = `the organization runs ${limit} queries at once, its maximum`;
    throw httpError('org-quota-reached', { problem }, { headers: { 'retry-after': '1' } });
  }

  #tooMany(): Error {
    const headers = { ...limitHeaders('Query', this.#answer(this.#perToken)), 'retry-after': '1' };
    return httpError('too-many-queries', { limit: this.#perToken }, { headers });
  }

  /** The trace id, made unique if its request has begun another job. */
  #idOf(traceId: string): string {
    for (let i = 1; ; i++) {
      const id = i === 1 ? traceId : `${traceId}-${i}`;
      if (!this.#jobs.has(id)) return id;
    }
  }
}
