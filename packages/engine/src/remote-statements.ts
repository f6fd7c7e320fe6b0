import { answerOf } from './columns.js';
import type { ExecuteOptions, Priority, EngineResult, QueryLimits, QueryOptions, Settings } from './engine.js';
import { EngineError, engineErrorOf } from './errors.js';
import type { PoolName } from './messages.js';
import type { Connection } from './remote-connection.js';
import {
  baseSettings,
  laneSettings,
  mergeSettings,
  settingsOfLimits,
  deadlineExceeded,
  limitByDeadline,
} from './settings.js';

/** Sends statements to a ClickHouse server, a single one or a replica. */

/** ClickHouse runs smaller numbers first. */
const priorityNumbers: Readonly<Record<Priority, number>> = { high: 1, normal: 2, low: 3 };

/** Identification of a request. */
interface RequestMarks {
  readonly queryId: string;
  readonly signal: AbortSignal;
}

/**
 * The settings of a statement.
 * @throws EngineError `time-limit` when its deadline is over
 */
function settingsOf(
  lane: PoolName,
  options: Partial<QueryOptions>,
  limits: QueryLimits | undefined,
): Readonly<Record<string, string>> {
  const own: Settings = {
    priority: priorityNumbers[options.priority ?? 'normal'],
    cancel_http_readonly_queries_on_client_close: 1,
  };
  const ofLimits = settingsOfLimits({ ...limits, ...options.limits });
  const settings = mergeSettings(baseSettings, ofLimits, own, laneSettings[lane], options.settings);
  if (options.deadline === undefined) return settings;
  const within = limitByDeadline(settings, options.deadline - performance.now());
  if (within === undefined) throw engineErrorOf(deadlineExceeded);
  return within;
}

export const settingsOfStatement = (
  options: ExecuteOptions,
  limits: QueryLimits | undefined,
): Readonly<Record<string, string>> => settingsOf(options.apart ?? 'statement', options, limits);

/**
 * How much later than at the server's own limit a query ends here: a server that hangs does not end
 * it, and a result takes some time to arrive.
 */
const graceMilliseconds = 2000;

/** Time limit of a statement on this side; undefined if it has none. */
function ownLimit(settings: Readonly<Record<string, string>>): AbortSignal | undefined {
  const seconds = Number(settings['max_execution_time'] ?? 0);
  // More is no limit in practice, and too long for a timer.
  return seconds > 0 && seconds < maxSeconds ? AbortSignal.timeout(seconds * 1000 + graceMilliseconds) : undefined;
}

const maxSeconds = 1_000_000;
const notInTime = 'Code: 159. The server did not answer within the time limit of the query';

/** @throws EngineError */
export async function queryOver(
  connection: Connection,
  sql: string,
  options: QueryOptions,
  limits: QueryLimits | undefined,
  marks: RequestMarks,
): Promise<EngineResult> {
  const columnar = options.format === 'JSONCompactColumns';
  // Waiting for the end turns a failure half-way through into a status instead of a torn body.
  const settings = { ...settingsOf('query', options, limits), wait_end_of_query: '1' };
  const late = ownLimit(settings);
  const { body, statistics } = await connection
    .request({
      sql,
      moved: options.moved,
      settings,
      format: columnar ? 'JSONColumnsWithMetadata' : options.format,
      ...marks,
      ...(late !== undefined && { signal: AbortSignal.any([marks.signal, late]) }),
      repeatable: true,
    })
    .catch((error: unknown) => {
      throw isLate(late, marks) ? engineErrorOf(notInTime) : error;
    });
  const answer = answerOf(options.format, body, statistics.elapsedNanoseconds);
  return columnar ? answer : { ...answer, statistics };
}

const isLate = (late: AbortSignal | undefined, { signal }: RequestMarks): boolean =>
  late?.aborted === true && !signal.aborted;

/** @throws EngineError while iterating */
export async function* streamOver(
  connection: Connection,
  sql: string,
  options: QueryOptions,
  limits: QueryLimits | undefined,
  marks: RequestMarks,
): AsyncGenerator<Uint8Array> {
  const settings = settingsOf('export', options, limits);
  const late = ownLimit(settings);
  try {
    yield* connection.stream({
      sql,
      moved: options.moved,
      settings,
      format: options.format,
      ...marks,
      ...(late !== undefined && { signal: AbortSignal.any([marks.signal, late]) }),
      repeatable: true,
    });
  } catch (error) {
    throw isLate(late, marks) ? engineErrorOf(notInTime) : error;
  }
}

/** @throws EngineError when the format cannot be streamed */
export function requireStreamable({ format }: QueryOptions): void {
  if (format === 'JSONCompactColumns') throw new EngineError('rejected', 'columns cannot be streamed');
}

const usualReserve = 16 * 1024 * 1024;

/**
 * Checks whether a server has disk space for a table metadata file. On a full disk ClickHouse
 * writes an empty one in place of the old one, reports success, and does not start with it any
 * more.
 *
 * @param ask runs a small query with a numeric result
 * @param min bytes that have to be free; 16 MiB if left out
 * @throws EngineError `disk-full`
 */
export async function requireRoomForDefinitions(
  ask: (sql: string) => Promise<number>,
  min = usualReserve,
): Promise<void> {
  if ((await ask(`SELECT count() FROM system.disks WHERE name = 'default' AND free_space < ${min}`)) === 0) return;
  const detail = `the disk of ClickHouse has less than ${min} bytes left for definitions of tables`;
  throw new EngineError('disk-full', detail, 'elsewhere');
}
