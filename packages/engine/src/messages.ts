import type { OutputFormat, Priority } from './engine.js';

/**
 * Which sessions a statement may use. A session runs one statement at a time, so each kind of work has its own: a long query delays no
 * insert, an export no query.
 */
export type LaneName = 'query' | 'export' | 'statement' | 'upkeep' | 'deletion' | 'insert';

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
      /** Absent where the statement gives no rows here. */
      readonly format?: OutputFormat;
      readonly settings: Readonly<Record<string, string>>;
      readonly priority: Priority;
    }
  | { readonly type: 'cancel' }
  | { readonly type: 'ping' }
  | { readonly type: 'close'; readonly waitMilliseconds: number };

/** What precedes the pieces of a result, which are the engine's output as it is. */
export interface AnswerHead {
  readonly type: 'answer';
  readonly bodyBytes: number;
  readonly elapsedNanoseconds: number;
}

export interface Pong {
  readonly type: 'pong';
  readonly memoryBytes: number;
  /** How long the oldest unanswered heartbeat query has been running. */
  readonly heartbeatMilliseconds: number;
  /** How long the oldest cancelled statement has gone on regardless. */
  readonly cancelMilliseconds: number;
}

/** From the engine's process to the parent. */
export type FromChild =
  | AnswerHead
  | Pong
  | { readonly type: 'opened' }
  | { readonly type: 'failed'; readonly text: string };
