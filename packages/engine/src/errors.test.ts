import { describe, expect, it } from 'vitest';
import {
  EngineError,
  type EngineErrorCode,
  engineErrorOf,
  fileError,
  hasEnded,
  meansExhausted,
  type Outcome,
} from './errors.js';

const cases: readonly (readonly [text: string, code: EngineErrorCode, retryable: boolean])[] = [
  ['Code: 241. DB::Exception: Query memory limit exceeded: would use 160.00 MiB', 'memory-limit', false],
  ['Code: 128. DB::Exception: Array size 100001 with element size 1288903 bytes is too large', 'memory-limit', false],
  ['Code: 241. DB::Exception: (total) memory limit exceeded: would use 3.00 GiB', 'overloaded', true],
  ['Code: 173. DB::Exception: Allocator: Cannot malloc 8.00 MiB', 'unavailable', true],
  ['Code: 1001. DB::Exception: std::exception. Code: 1001, type: std::bad_alloc', 'unavailable', true],
  ['Array buffer allocation failed', 'unavailable', true],
  ['Code: 159. DB::Exception: Timeout exceeded: elapsed 300 ms', 'time-limit', false],
  ['Code: 158. DB::Exception: Limit for rows or bytes to read exceeded', 'rows-limit', false],
  ['Code: 396. DB::Exception: Limit for result exceeded', 'result-limit', false],
  ['Code: 718. DB::Exception: Maximum amount of backtracking (1000000) exceeded in the parser', 'too-complex', false],
  ['Code: 168. DB::Exception: AST is too big. Maximum: 1000000', 'too-complex', false],
  ['Code: 394. DB::Exception: Query was cancelled.', 'cancelled', false],
  ['Code: 252. DB::Exception: Too many parts', 'overloaded', true],
  ['Code: 243. DB::Exception: Cannot reserve 1.00 MiB, not enough space', 'disk-full', true],
  ['Code: 75. DB::Exception: Cannot write to file, errno: 28, strerror: No space left on device', 'disk-full', true],
  ['Code: 75. DB::Exception: Cannot write to file, errno: 122, strerror: Disk quota exceeded', 'disk-full', true],
  ['Code: 75. DB::Exception: Cannot write to file, errno: 5, strerror: Input/output error', 'internal', false],
  ["Code: 341. DB::Exception: Mutation 'mutation_2.txt' was killed", 'unavailable', true],
  [
    "Code: 341. DB::Exception: Exception happened during execution of mutation 'mutation_2.txt' with part 'all_1_1_0' reason: 'Code: 241. DB::Exception: Query memory limit exceeded: would use 1.00 GiB",
    'memory-limit',
    false,
  ],
  [
    "Code: 341. DB::Exception: Exception happened during execution of mutations 'mutation_2.txt, mutation_3.txt' with part 'all_1_1_0' reason: 'Code: 243. DB::Exception: Cannot reserve 1.00 MiB, not enough space",
    'disk-full',
    true,
  ],
  ['Code: 60. DB::Exception: Unknown table', 'unknown-table', false],
  ['Code: 40. DB::Exception: Checksum does not match', 'corrupt', false],
  [
    'Code: 39. DB::Exception: Too large size_compressed_without_checksum: 3002197827. Most likely corrupted data: While reading or decompressing /d/store/41d/data.bin (position: 183): (while reading column _row): ',
    'corrupt',
    false,
  ],
  [
    'Code: 32. DB::Exception: Attempt to read after eof: While reading or decompressing /d/store/41d/data.bin (position: 0)',
    'corrupt',
    false,
  ],
  ['Code: 32. DB::Exception: Attempt to read after eof', 'unavailable', true],
  [
    'Code: 241. DB::Exception: Query memory limit exceeded: While reading or decompressing /d/store/41d/data.bin',
    'memory-limit',
    false,
  ],
  ["Code: 6. DB::Exception: Cannot parse string 'While reading or decompressing ' as Int64", 'bad-value', false],
  ['Code: 210. DB::Exception: Connection refused', 'unavailable', true],
  ['Code: 99999. DB::Exception: something new', 'internal', false],
  ['no number at all', 'internal', false],
  ['Code: 1001. DB::Exception: std::bad_alloc: std::bad_alloc. (STD_EXCEPTION)', 'unavailable', true],
  [
    'Code: 76. DB::ErrnoException: Cannot open file /d/x: , errno: 12, strerror: Cannot allocate memory',
    'unavailable',
    true,
  ],
  [
    'Code: 76. DB::ErrnoException: Cannot open file /d/x: , errno: 28, strerror: No space left on device',
    'disk-full',
    true,
  ],
  [
    'Code: 76. DB::ErrnoException: Cannot open file /d/x: , errno: 24, strerror: Too many open files',
    'unavailable',
    true,
  ],
  [
    'Code: 1001. DB::Exception: std::__1::filesystem::filesystem_error: filesystem error: in create_directories: No space left on device ["/d/x"]. (STD_EXCEPTION)',
    'disk-full',
    true,
  ],
];

/**
 * Texts of other errors inside a statement: the engine quotes statements, with and without
 * quotation marks.
 */
const quotedErrors: readonly (readonly [text: string, code: EngineErrorCode])[] = [
  ['Code: 427. DB::Exception: OptimizedRegularExpression: cannot compile re2: std::bad_alloc(, error', 'bad-value'],
  ["Code: 6. DB::Exception: Cannot parse string 'Code: 173. Cannot allocate memory' as Int64", 'bad-value'],
  ["Code: 6. DB::Exception: Cannot parse string 'No space left on device' as Int64", 'bad-value'],
  ['Code: 395. DB::Exception: x, errno: 28, strerror: No space left on device: while executing', 'bad-value'],
  ["Code: 241. DB::Exception: Query memory limit exceeded: In scope SELECT '(total)'", 'memory-limit'],
  ["Code: 76. DB::Exception: Cannot open file /d/x: , errno: 2: In scope SELECT 'std::bad_alloc'", 'internal'],
  ["Cannot read 'Code: 241. x'", 'internal'],
];

describe('the engine’s text in our terms', () => {
  it.each(cases)('%s → %s', (text, code, retryable) => {
    const error = engineErrorOf(text);
    expect([error.code, error.retryable, error.detail]).toEqual([code, retryable, text]);
    expect(error.message).not.toContain('Exception');
  });

  it.each(quotedErrors)('is not what a statement says: %s → %s', (text, code) => {
    expect(engineErrorOf(text).code).toBe(code);
    expect(meansExhausted(text)).toBe(false);
  });
});

/** As written by replicas of ClickHouse 26.7. */
const outcomes: readonly (readonly [text: string, code: EngineErrorCode, outcome: Outcome])[] = [
  [
    'Code: 285. DB::Exception: Number of alive replicas (1) is less than requested quorum (2/3). (TOO_FEW_LIVE_REPLICAS)',
    'unavailable',
    'elsewhere',
  ],
  ['Code: 242. DB::Exception: Table is in readonly mode. (TABLE_IS_READ_ONLY)', 'unavailable', 'elsewhere'],
  ['Code: 225. DB::Exception: Cannot get ZooKeeper. (NO_ZOOKEEPER)', 'unavailable', 'elsewhere'],
  ['Code: 252. DB::Exception: Too many parts. (TOO_MANY_PARTS)', 'overloaded', 'elsewhere'],
  [
    'Code: 517. DB::Exception: Metadata on replica is not up to date. (CANNOT_ASSIGN_ALTER)',
    'unavailable',
    'elsewhere',
  ],
  [
    'Code: 319. DB::Exception: Unknown quorum status. The data was inserted in the local replica. (UNKNOWN_STATUS_OF_INSERT)',
    'unavailable',
    'unknown',
  ],
  ['Code: 999. Coordination::Exception: Connection loss. (KEEPER_EXCEPTION)', 'unavailable', 'unknown'],
  ['Code: 159. DB::Exception: Timeout exceeded. (TIMEOUT_EXCEEDED)', 'time-limit', 'unknown'],
  ['Code: 99999. DB::Exception: something new', 'internal', 'unknown'],
  ['no number at all', 'internal', 'unknown'],
  ['Code: 16. DB::Exception: No such column x in table. (NO_SUCH_COLUMN_IN_TABLE)', 'unknown-column', 'refused'],
  ['Code: 60. DB::Exception: Unknown table', 'unknown-table', 'refused'],
  ['Code: 36. DB::Exception: allow_nondeterministic_mutations. (BAD_ARGUMENTS)', 'rejected', 'refused'],
];

describe('what became of a statement that failed', () => {
  it.each(outcomes)('%s → %s, %s', (text, code, outcome) => {
    const error = engineErrorOf(text);
    expect([error.code, error.outcome]).toEqual([code, outcome]);
  });

  it.each([
    ['Code: 99999. DB::Exception: something new', true],
    ['Code: 16. DB::Exception: No such column x in table', true],
    ['no number at all', false],
    ['Code: 999. Coordination::Exception: Connection loss', false],
    ['Code: 242. DB::Exception: Table is in readonly mode', false],
  ])('%s: it is over: %s', (text, over) => {
    expect(hasEnded(engineErrorOf(text))).toBe(over);
  });
});

describe('a failed call of the file system', () => {
  it.each([
    ['ENOSPC', 'disk-full'],
    ['EDQUOT', 'disk-full'],
    ['EMFILE', 'unavailable'],
    ['ENFILE', 'unavailable'],
    ['EIO', 'internal'],
  ])('%s → %s', (code, means) => {
    const error = fileError(Object.assign(new Error(`${code}: write`), { code }));
    expect([error.code, error.detail]).toEqual([means, `${code}: write`]);
  });

  it('leaves an EngineError as it is', () => {
    const error = new EngineError('cancelled');
    expect(fileError(error)).toBe(error);
  });
});

it('the log of an error has no values of the statement', () => {
  const error = engineErrorOf(
    "Code: 6. DB::Exception: Cannot parse string 'it\\'s secret' as UInt8: In scope SELECT 4111111111111111, 'secret'. (CANNOT_PARSE_TEXT)",
  );
  expect(error.engineMessage).toBe("Code: 6. DB::Exception: Cannot parse string '…' as UInt8");
  expect(Object.keys(error)).not.toContain('detail');
  expect(error.detail).toContain('secret');
});

it('never has an empty detail, because details become parts of messages', () => {
  const error = new EngineError('cancelled');
  expect(error.detail).toBe(error.message);
  expect(new EngineError('unavailable', '').detail).toBe('the engine is not available at the moment');
});
