/** Every way the engine can fail, and the one place that knows ClickHouse's error numbers. */

export type EngineErrorCode =
  | 'memory-limit'
  | 'time-limit'
  | 'rows-limit'
  | 'result-limit'
  | 'cancelled'
  | 'unavailable'
  | 'overloaded'
  | 'disk-full'
  | 'unknown-table'
  | 'unknown-column'
  | 'bad-value'
  | 'rejected'
  | 'corrupt'
  | 'internal';

export class EngineError extends Error {
  override readonly name = 'EngineError';
  /** What went wrong, for a program; the message is for a person and holds no SQL. */
  readonly code: EngineErrorCode;
  /** Whether the same call may succeed later without any change. */
  readonly retryable: boolean;
  /** The engine's own words. May hold SQL and schema: for the server's log, never for a client. */
  readonly detail: string;

  constructor(code: EngineErrorCode, detail = '') {
    super(reports[code].message);
    this.code = code;
    this.retryable = reports[code].retryable;
    this.detail = detail;
  }
}

const reports: Readonly<Record<EngineErrorCode, { readonly message: string; readonly retryable: boolean }>> = {
  'memory-limit': { message: 'the query needs more memory than its limit', retryable: false },
  'time-limit': { message: 'the query ran longer than its time limit', retryable: false },
  'rows-limit': { message: 'the query reads more rows than its limit', retryable: false },
  'result-limit': { message: 'the result is larger than its limit', retryable: false },
  cancelled: { message: 'the query was cancelled', retryable: false },
  unavailable: { message: 'the engine is not available at the moment', retryable: true },
  overloaded: { message: 'the engine has too much to do at the moment', retryable: true },
  'disk-full': { message: 'the disk of the engine is full', retryable: true },
  'unknown-table': { message: 'the engine has no such table', retryable: false },
  'unknown-column': { message: 'the table has no such column', retryable: false },
  'bad-value': { message: 'a value cannot be read or computed', retryable: false },
  rejected: { message: 'the engine rejects the statement', retryable: false },
  corrupt: { message: 'the engine finds damaged data', retryable: false },
  internal: { message: 'the engine failed', retryable: false },
};
