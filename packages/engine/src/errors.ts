/** All errors of the engine; only this file knows ClickHouse's error numbers. */

export type EngineErrorCode = keyof typeof reports;

const reports = {
  'memory-limit': { message: 'the query needs more memory than its limit', retryable: false },
  'time-limit': { message: 'the query ran longer than its time limit', retryable: false },
  'rows-limit': { message: 'the query reads more rows than its limit', retryable: false },
  'result-limit': { message: 'the result is larger than its limit', retryable: false },
  'too-complex': { message: 'the statement has more parts than the engine reads', retryable: false },
  cancelled: { message: 'the query was canceled', retryable: false },
  unavailable: { message: 'the engine is not available at the moment', retryable: true },
  overloaded: { message: 'the engine has too much to do at the moment', retryable: true },
  'disk-full': { message: 'the disk of the engine is full', retryable: true },
  'unknown-table': { message: 'the engine has no such table', retryable: false },
  'unknown-column': { message: 'the table has no such column', retryable: false },
  'bad-value': { message: 'a value cannot be read or computed', retryable: false },
  rejected: { message: 'the engine rejects the statement', retryable: false },
  corrupt: { message: 'the engine finds damaged data', retryable: false },
  internal: { message: 'the engine failed', retryable: false },
} as const;

/**
 * Outcome of a failed statement. `refused`: the engine rejected it, and so would another replica.
 * `elsewhere`: this replica cannot run it now; another one may, or this one later. `unknown`: it
 * may have been executed, may be running, or may still begin. After each of them an insert that
 * spans partitions may be partially stored. With its token it may be repeated after `elsewhere` and
 * `unknown`; divided only after `refused`.
 */
export type Outcome = 'refused' | 'elsewhere' | 'unknown';

/** A canceled statement that the engine still runs. Neither promise rejects. */
export interface UnfinishedStatement {
  /** Resolves when the statement no longer occupies a session that others could use. */
  readonly releasePromise: Promise<void>;
  /** Resolves when the engine has stopped, or its process has exited. */
  readonly stopPromise: Promise<void>;
}

export class EngineError extends Error {
  override readonly name = 'EngineError';
  /** Error code for programs; the message is for users and contains no SQL. */
  readonly code: EngineErrorCode;
  /** Whether the same call may succeed later without any change. */
  readonly retryable: boolean;
  /**
   * The engine's own text. May contain SQL and search terms: never for a client, and not listed
   * where an error is logged.
   */
  declare readonly detail: string;
  /** The engine's text without values of the statement, for the log. */
  readonly engineMessage: string;
  /** Outcome of the statement. */
  readonly outcome: Outcome;
  /** Set when the engine still works on a statement whose caller no longer waits. */
  declare readonly unfinishedStatement: UnfinishedStatement | undefined;

  constructor(
    code: EngineErrorCode,
    detail = '',
    outcome: Outcome = outcomeOf(code, detail),
    unfinished?: UnfinishedStatement,
  ) {
    super(reports[code].message);
    // Details become parts of other messages, so they are never empty.
    const text = detail === '' ? reports[code].message : detail;
    this.code = code;
    this.retryable = reports[code].retryable;
    this.outcome = outcome;
    Object.defineProperty(this, 'detail', { value: text });
    Object.defineProperty(this, 'unfinishedStatement', { value: unfinished });
    this.engineMessage = withoutValues(text);
  }
}

/**
 * A ClickHouse server that did not respond within the start's timeout. The detail is the code of
 * the system's error, if there was one.
 */
export class UnreachableError extends EngineError {
  constructor(detail: string) {
    super('unavailable', detail);
  }
}

/**
 * ClickHouse's error numbers, grouped by what they mean here. A number that is not listed is
 * `internal`.
 */
const numbers: Readonly<Record<Exclude<EngineErrorCode, 'internal'>, readonly number[]>> = {
  // The second: an array larger than the maximum.
  'memory-limit': [241, 128],
  'time-limit': [159, 160],
  'rows-limit': [158, 307],
  'result-limit': [396],
  // A tree too deep or with too many nodes, too much recursion, a text on which the parser
  // backtracks too often.
  'too-complex': [167, 168, 306, 718],
  cancelled: [394, 734, 735],
  // 499: object storage that does not answer. The last three: rights, limits of settings or a
  // password that an operator has to correct on a server, after which the same statement may
  // succeed.
  unavailable: [32, 209, 210, 225, 236, 242, 279, 285, 286, 319, 341, 499, 517, 999, 452, 497, 516, 733],
  overloaded: [201, 202, 252, 439],
  'disk-full': [243],
  'unknown-table': [60, 81, 218],
  'unknown-column': [8, 10, 16, 47],
  'bad-value': [6, 26, 27, 38, 41, 69, 70, 72, 117, 131, 153, 321, 349, 395, 407, 427, 457, 467, 675, 676],
  rejected: [
    1, 4, 15, 20, 34, 35, 36, 42, 43, 44, 46, 48, 49, 50, 51, 52, 53, 57, 62, 63, 73, 80, 82, 92, 115, 122, 137, 164,
    169, 179, 182, 184, 190, 191, 215, 223, 344, 352, 386, 403, 450, 524, 620,
  ],
  // 107 and 226: a file of a part is gone.
  corrupt: [33, 40, 107, 226, 228, 246, 271, 432],
};

const meanings = new Map(
  Object.entries(numbers).flatMap(([code, list]) => list.map((number) => [number, code as EngineErrorCode] as const)),
);

/**
 * The error numbers of failed calls of the operating system. Their texts contain paths and system
 * messages, but no values of a statement.
 */
const systemCalls: ReadonlySet<number> = new Set([
  74, 75, 76, 77, 87, 88, 172, 204, 214, 294, 400, 424, 425, 458, 531, 566, 586, 641, 1001,
]);

/**
 * Error numbers of a replica that cannot take an insert now: its disk is full (243), too many parts
 * or statements are pending (252, 202), it has no connection to Keeper (225), is read-only (242),
 * too few replicas are reachable (285), another insert waits for its quorum (286), another change
 * of the table came first (517), or it is restarting the table (733).
 */
const saidElsewhere: ReadonlySet<number> = new Set([202, 225, 242, 243, 252, 285, 286, 517, 733]);
/**
 * Error numbers after which an insert may be stored: it timed out (159, 209), its connections broke
 * (210), its quorum timed out (319), Keeper failed (999).
 */
const saidUnknown: ReadonlySet<number> = new Set([159, 160, 209, 210, 319, 999]);
/**
 * Codes of failures that are not caused by the statement. They may occur in the middle of an
 * insert.
 */
const notOfStatement: ReadonlySet<EngineErrorCode> = new Set<EngineErrorCode>([
  'cancelled',
  'corrupt',
  'disk-full',
  'internal',
  'overloaded',
  'time-limit',
  'unavailable',
]);

function outcomeOf(code: EngineErrorCode, detail: string): Outcome {
  const number = numberOf(detail);
  if (saidElsewhere.has(number)) return 'elsewhere';
  if (saidUnknown.has(number)) return 'unknown';
  return notOfStatement.has(code) ? 'unknown' : 'refused';
}

/**
 * Whether a failed statement is over: the engine reported it unambiguously. Its insert may be
 * partially stored, and an earlier attempt may be in flight.
 */
export const hasEnded = ({ code, detail, outcome }: EngineError): boolean =>
  outcome === 'refused' || ((code === 'internal' || code === 'corrupt') && detail.startsWith('Code: '));

const numberOf = (text: string): number => Number(/^Code: (\d+)/.exec(text)?.[1]);

/** Removes the repeated statement and all quoted text from a text of the engine. */
const withoutValues = (text: string): string =>
  text
    .replace(/: (?:In scope|while executing|while processing)\b.*$/is, '')
    .replace(/'(?:[^'\\]|\\.)*(?:'|$)/gs, "'…'");

/** The text up to the first quotation mark: what follows may be quoted from a statement. */
const ownWords = (text: string): string => /^[^'"`]*/.exec(text)![0];

/** Whether the text reports a failed call of the operating system that matches the pattern. */
const systemSaid = (text: string, words: RegExp): boolean =>
  systemCalls.has(numberOf(text)) && words.test(ownWords(text));

/**
 * Whether the process, not just a query, is out of memory: an allocation failed without any limit
 * being reached. Any later work may fail in the same way, so the process is replaced.
 */
export const meansExhausted = (text: string): boolean =>
  numberOf(text) === 173 ||
  systemSaid(text, /std::bad_alloc|Cannot allocate memory/) ||
  /^(?:std::bad_alloc|Cannot allocate memory|Array buffer allocation failed)/.test(text);

/** Text before the reason why a deletion failed; all quoted names in it are made by the engine. */
const beforeReason =
  /^Code: 341\. DB::Exception: Exception happened during execution of mutations? '[^']*' with part '[^']*' reason: '(?=Code: \d)/;

/**
 * Parses an error text of ClickHouse.
 * @param text as the engine wrote it, `Code: 241. DB::Exception: …`; any other text is `internal`
 */
export function engineErrorOf(text: string): EngineError {
  const reason = text.replace(beforeReason, '');
  if (reason !== text) return new EngineError(engineErrorOf(reason).code, text);
  const number = numberOf(text);
  // A full disk appears under different numbers, depending on the kind of write.
  if (systemSaid(text, /No space left on device|Disk quota exceeded|errno: (?:28|122)\b/))
    return new EngineError('disk-full', text);
  if (meansExhausted(text)) return new EngineError('unavailable', text);
  // The limit of open files is reached, and some will be closed: this is not the statement's fault.
  if (systemSaid(text, /Too many open files|errno: (?:23|24)\b/)) return new EngineError('unavailable', text);
  // The shared limit, not the query's: the same query may fit later.
  if (number === 241 && /\(total\)|server memory|OvercommitTracker/i.test(ownWords(text)))
    return new EngineError('overloaded', text);
  const code = meanings.get(number) ?? 'internal';
  // Damaged bytes appear under many numbers, depending on what they were to be.
  const isDecoding = code === 'internal' || code === 'bad-value' || code === 'rejected' || number === endOfFile;
  if (isDecoding && /While reading or decompressing /.test(ownWords(text))) return new EngineError('corrupt', text);
  return new EngineError(code, text);
}

/** Of a connection, if no file is named. */
const endOfFile = 32;

/** Converts an error of the file system; an EngineError passes unchanged. */
export function fileError(error: unknown): EngineError {
  if (error instanceof EngineError) return error;
  const { code = '', message } = error as NodeJS.ErrnoException;
  return new EngineError(meaningsOfFiles.get(code) ?? 'internal', message);
}

const meaningsOfFiles: ReadonlyMap<string, EngineErrorCode> = new Map([
  ['ENOSPC', 'disk-full'],
  ['EDQUOT', 'disk-full'],
  ['EMFILE', 'unavailable'],
  ['ENFILE', 'unavailable'],
]);
