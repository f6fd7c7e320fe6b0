import type { AuthenticatedPrincipal, Principal } from '../../access/allowed.js';
import { partyOf } from '../../access/identity.js';
import { limitHeaders, type RateAnswer } from '../../access/rate-limit.js';
import { httpError } from '../../errors.js';
import type { Metrics } from '../../metrics.js';
import type { Call } from '../../http/route.js';
import { Allowance, type Taken } from './allowance.js';
import { onceAborted } from './once-aborted.js';
import type { ExportPlaces } from './export-places.js';
import { type EngineMemory, EngineTurns, type Grant, unlimitedMemory } from './engine-turns.js';

/** A query that waits or runs, as its owner sees it. */
export interface Job {
  readonly id: string;
  readonly kind: 'apl' | 'structured' | 'export' | 'tail';
  /** The APL, or the body of a structured query as JSON. */
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

type JobCall = Pick<Call, 'principal' | 'traceId' | 'abort'>;

function ownerOf({ principal }: JobCall): AuthenticatedPrincipal {
  if (principal.kind === 'anonymous') throw new Error('queries need a token');
  return principal;
}

/** Streams from the engine until the signal aborts, with so much of its memory. */
type ReadWithin = (signal: AbortSignal, memoryBytes: number) => AsyncIterable<Uint8Array>;

/** What a query's own code works with. */
export interface Course {
  /** That of its job. */
  readonly id: string;
  /** Who asks, as limits count it: a token, or a session of one. */
  readonly token: string;
  /** Aborts when the client goes away or somebody stops the query. */
  readonly signal: AbortSignal;
  /**
   * Runs work on the engine when it is this token's turn.
   * @param work gets its deadline, by `performance.now()`, which follows from the time the query
   * has left. Waiting for a turn takes none of it. Work that fails because it may use too little of
   * the engine's memory is done once more, from the beginning, when it may use more.
   */
  turn<T>(work: (deadline: number, grant: Grant) => Promise<T>): Promise<T>;
  /** The same for a page of a tail, which waits for those of other tails of this token. */
  page<T>(work: (deadline: number, grant: Grant) => Promise<T>): Promise<T>;
  /**
   * Streams from the engine once there is a place for this token, and keeps the place for as long
   * as the reader takes. What has given nothing yet may be read once more, as work of a turn.
   */
  stream(signal: AbortSignal, read: ReadWithin): AsyncIterable<Uint8Array>;
  /** Gives the query its full time again, because it is asked anew. */
  anew(): void;
}

/** A job that its holder ends; ending it again does nothing. */
export interface JobCourse extends Course {
  end(outcome: 'ok' | 'failed' | 'cancelled'): void;
}

/**
 * Says that the count resets with the next second, because a query that ends makes room at once.
 * Seconds since the epoch.
 */
const reset = (): number => Math.floor(Date.now() / 1000) + 1;

interface JobsOptions {
  /** Queries that may use the engine at once. */
  readonly engineSessions: number;
  /** Queries one token may have waiting or running. */
  readonly maxConcurrentQueries: number;
  /** How long a query may run, in all of its turns together, milliseconds. */
  readonly queryTimeout: number;
  /** For exports. */
  readonly places: ExportPlaces;
  /** Default: as much as the engine has. */
  readonly memory?: EngineMemory;
  readonly metrics: Metrics;
}

/**
 * Every query that waits or runs: how many a token may have, whose turn it is, and a way to stop
 * each.
 */
export class Jobs {
  readonly #perToken: number;
  readonly #allowance: Allowance;
  readonly #milliseconds: number;
  readonly #engine: EngineTurns;
  readonly #places: ExportPlaces;
  readonly #metrics: Metrics;
  readonly #jobs = new Map<string, { readonly job: Job; readonly abort: AbortController }>();

  constructor({ engineSessions, maxConcurrentQueries, queryTimeout, places, memory, metrics }: JobsOptions) {
    this.#perToken = maxConcurrentQueries;
    this.#allowance = new Allowance(maxConcurrentQueries);
    this.#milliseconds = queryTimeout;
    this.#engine = new EngineTurns(engineSessions, memory ?? unlimitedMemory);
    this.#places = places;
    this.#metrics = metrics;
    metrics.gauge('queries_running', () => this.#jobs.size);
  }

  /**
   * Runs the code of a query as a job that ends with it.
   * @throws HttpError `too-many-queries`, and whatever `work` throws
   */
  async run<T>(call: JobCall, about: Pick<Job, 'kind' | 'text'>, work: (course: Course) => Promise<T>): Promise<T> {
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
   * Begins a job that the caller ends: for answers that are still being made when the handler has
   * returned.
   * @throws HttpError `too-many-queries`
   */
  begin(call: JobCall, about: Pick<Job, 'kind' | 'text'>): JobCourse {
    if (!this.#allowance.take(partyOf(ownerOf(call)))) throw this.#tooMany();
    return this.#course(call, about, 'at-once');
  }

  /**
   * Begins a job like `begin`, but waits for room instead of being refused: in the order of coming,
   * and never for ever while queries of its token end, see `Allowance`.
   * @throws HttpError `query-cancelled` if the request ends before that
   */
  async beginLater(call: JobCall, about: Pick<Job, 'kind' | 'text'>): Promise<JobCourse> {
    await this.#allowance.takeLater(partyOf(ownerOf(call)), call.abort.signal);
    return this.#course(call, about, 'later');
  }

  #course(call: JobCall, about: Pick<Job, 'kind' | 'text'>, taken: Taken): JobCourse {
    const { traceId, abort } = call;
    const owner = ownerOf(call);
    const party = partyOf(owner);
    // The request's own signal: one more, and everything attached to it, would live until a full
    // garbage collection.
    const { signal } = abort;
    const id = this.#idOf(traceId);
    const job: Job = { id, ...about, owner, started: Date.now(), state: 'waiting' };
    this.#jobs.set(id, { job, abort });
    const began = performance.now();
    let ended = false;
    let left = this.#milliseconds;
    const end: JobCourse['end'] = (outcome) => {
      if (ended) return;
      ended = true;
      this.#jobs.delete(id);
      this.#allowance.giveBack(party, taken);
      this.#metrics.count('queries_total', 1, { outcome: signal.aborted ? 'cancelled' : outcome });
      this.#metrics.observe('query_seconds', (performance.now() - began) / 1000);
    };
    // Whatever becomes of its answer: one that nobody is there to read may never come to its end.
    // Those that wait for room leave first: what this gives back is not for queries of the same
    // request.
    onceAborted(signal, () => queueMicrotask(() => end('cancelled')));
    const timed = <T>(work: (deadline: number, grant: Grant) => Promise<T>) => {
      const had = left;
      return async (grant: Grant): Promise<T> => {
        job.state = 'running';
        left = had;
        const since = performance.now();
        try {
          return await work(since + left, grant);
        } finally {
          left -= performance.now() - since;
          job.state = 'waiting';
        }
      };
    };
    return {
      id,
      token: party,
      signal,
      turn: (work) => this.#engine.run({ who: party, signal }, timed(work)),
      page: (work) => this.#engine.page({ who: party, signal }, timed(work)),
      stream: (within, read) =>
        this.#places.stream(party, within, (ending) => {
          job.state = 'running';
          return this.#engine.stream({ who: party, signal: ending }, (memoryBytes) => read(ending, memoryBytes));
        }),
      anew: () => {
        left = this.#milliseconds;
      },
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

  /** `X-QueryLimit-…` for an answer to a token. */
  headers({ principal }: Pick<Call, 'principal'>): Record<string, string> {
    const used = principal.kind === 'anonymous' ? 0 : this.#allowance.of(partyOf(principal));
    return limitHeaders('Query', this.#answer(used));
  }

  #answer(used: number): RateAnswer {
    const limit = this.#perToken;
    return { allowed: used < limit, limit, remaining: Math.max(0, limit - used), reset: reset() };
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
