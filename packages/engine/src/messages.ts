import type { OutputFormat, Priority } from './engine.js';

/**
 * The sessions a statement may use. A session runs one statement at a time, so each kind of work
 * has separate ones: a long query never delays an insert, nor an export a query.
 */
export type PoolName =
  | 'query'
  | 'export'
  | 'statement'
  | 'upkeep'
  | 'narrowing'
  | 'deletion'
  | 'removal'
  | 'moving'
  | 'insert';

/** From the parent to the engine's process. Call 0 is the process itself. */
export type ToChild =
  | {
      readonly type: 'open';
      readonly path: string;
      readonly arguments: readonly string[];
      readonly sessions: Readonly<Record<PoolName, number>>;
      readonly maxWaiting: number;
      readonly detach: DetachLimits;
    }
  | {
      readonly type: 'run';
      readonly lane: PoolName;
      readonly sql: string;
      /** Absent when the statement returns no rows over this connection. */
      readonly format?: OutputFormat;
      /**
       * Settings of this statement alone; the process adds those of its pool and the common ones.
       */
      readonly settings: Readonly<Record<string, string>>;
      readonly priority: Priority;
      /** Time limit of the statement from its arrival, including its wait for a session. */
      readonly milliseconds?: number;
    }
  | { readonly type: 'cancel' }
  | { readonly type: 'ping' }
  | { readonly type: 'close'; readonly waitMilliseconds: number };

/** When a canceled query that does not stop loses its session, and how many may do so. */
export interface DetachLimits {
  /** Time after its cancellation. */
  readonly afterMilliseconds: number;
  /** Maximum detached statements; each occupies a thread of the process. */
  readonly max: number;
}

/** Precedes the chunks of a result, which are the engine's unchanged output. */
export interface AnswerHead {
  readonly type: 'answer';
  readonly bodyBytes: number;
  readonly elapsedNanoseconds: number;
}

export interface Pong {
  readonly type: 'pong';
  readonly memoryBytes: number;
  /** How long the unanswered heartbeat query has been waiting; 0 if there is none. */
  readonly heartbeatMilliseconds: number;
  /**
   * Time since the cancellation of the oldest canceled statement that still occupies its session,
   * because the limit of detached statements is reached; 0 if there is none.
   */
  readonly cancelMilliseconds: number;
  /** Canceled statements that do not stop; their sessions have been replaced. */
  readonly detached: number;
}

/** From the engine's process to the parent. */
export type FromChild =
  | AnswerHead
  | Pong
  | { readonly type: 'opened' }
  /** The statement does not stop; its session is replaced. `failed` or a result follows later. */
  | { readonly type: 'detached' }
  | { readonly type: 'failed'; readonly text: string };
