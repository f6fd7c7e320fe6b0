import type { OutputFormat, Priority } from './engine.js';

/**
 * Which sessions a statement may use. A session runs one statement at a time, so each kind of work
 * has its own: a long query never delays an insert, nor an export a query.
 */
export type LaneName =
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
      readonly sessions: Readonly<Record<LaneName, number>>;
      readonly maxWaiting: number;
    }
  | {
      readonly type: 'run';
      readonly lane: LaneName;
      readonly sql: string;
      /** Absent when the statement returns no rows over this connection. */
      readonly format?: OutputFormat;
      /**
       * Those of this statement alone; what holds for all, or for its lane, the process knows by
       * itself.
       */
      readonly settings: Readonly<Record<string, string>>;
      readonly priority: Priority;
      /** How long the statement may take from its arrival on, including its wait for a session. */
      readonly milliseconds?: number;
    }
  | { readonly type: 'cancel' }
  | { readonly type: 'ping' }
  | { readonly type: 'close'; readonly waitMilliseconds: number };

/** Precedes the pieces of a result, which are the engine's unchanged output. */
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
  /** How long ago the longest-running cancelled statement was cancelled; 0 if there is none. */
  readonly cancelMilliseconds: number;
}

/** From the engine's process to the parent. */
export type FromChild =
  | AnswerHead
  | Pong
  | { readonly type: 'opened' }
  | { readonly type: 'failed'; readonly text: string };
