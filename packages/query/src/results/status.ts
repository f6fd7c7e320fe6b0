import { type CompiledQuery, dayFirstMessage, type Diagnostic } from '@millrace/apl';
import { formatRfc3339 } from '@millrace/timestamps';
import type { QueryOutcome } from '../run/outcome.js';
import { type RequestedBounds, reversedRangeMessage } from '../compile/request.js';

/**
 * Rows the engine reads at a time (the default of `index_granularity`). It counts in rows, from
 * which the figures in blocks are computed.
 */
const blockRows = 8192;
const cacheMiss = 1;
const cacheHit = 2;

interface StatusInput {
  /** Since the request arrived, waiting included. */
  readonly elapsedMicroseconds: number;
  /** Cursor of the request, which an empty page gives back. */
  readonly cursor?: string | undefined;
  /** Messages in addition to those of the outcome. */
  readonly messages?: readonly Message[];
}

/** The `status` property of a response. */
export function statusOf(
  outcome: QueryOutcome,
  { elapsedMicroseconds, cursor, messages = [] }: StatusInput,
): Record<string, unknown> {
  const { compiled, rowsExamined, rowsMatched, rowsRead, table, totals, times } = outcome;
  const read = Math.min(rowsRead, rowsExamined);
  return {
    // Clients take zero for a missing figure.
    elapsedTime: Math.max(1, elapsedMicroseconds),
    blocksExamined: Math.ceil(rowsExamined / blockRows),
    blocksCached: 0,
    blocksMatched: Math.ceil(read / blockRows),
    blocksSkipped: Math.floor((rowsExamined - read) / blockRows),
    rowsExamined,
    rowsMatched,
    numGroups: compiled.presentation.kind === 'events' ? 0 : (totals ?? table).rows,
    isPartial: outcome.partial,
    cacheStatus: outcome.cached ? cacheHit : cacheMiss,
    minBlockTime: formatRfc3339(times.start),
    maxBlockTime: formatRfc3339(times.end),
    ...cursorsOf(outcome, cursor),
    messages: [...messagesOf(outcome), ...messages],
  };
}

/**
 * Cursors of the oldest and the newest row, if a result is events in time order. An empty page
 * returns the cursor of its request.
 */
function cursorsOf({ endIds, compiled }: QueryOutcome, echoed: string | undefined): Record<string, string> {
  if (endIds === undefined || compiled.continuation === undefined) return {};
  const [first = echoed, last = echoed] = endIds;
  if (first === undefined || last === undefined) return {};
  return compiled.continuation === 'older'
    ? { minCursor: last, maxCursor: first }
    : { minCursor: first, maxCursor: last };
}

export interface Message {
  readonly priority: string;
  readonly code: string;
  readonly count: number;
  readonly msg: string;
}

const behind = 'results may be missing recently acknowledged events that are not stored yet';

function messagesOf({ compiled, rowsMatched, table, partial, dayFirst }: QueryOutcome): readonly Message[] {
  const warnings = compiled.diagnostics.filter(({ severity }) => severity === 'warning').map(messageOf);
  const found = [...(partial ? [behind] : []), ...(dayFirst === undefined ? [] : [dayFirstMessage(dayFirst)])];
  const messages = countEqual([...warnings, ...found.map(warning)]);
  const { limitApplied } = compiled;
  if (limitApplied === undefined || table.rows < limitApplied.limit) return messages;
  const { rowPerMatch } = limitApplied;
  if (rowPerMatch && rowsMatched <= table.rows) return messages;
  const of = rowPerMatch ? ` of ${rowsMatched}` : '';
  const msg = `only the first ${limitApplied.limit}${of} rows are returned; add a limit or narrow the query`;
  return [...messages, { priority: 'warn', code: 'default_limit_warning', count: 1, msg }];
}

/** Merges equal messages and counts them: a query may name a missing field many times. */
function countEqual(messages: readonly Message[]): readonly Message[] {
  const found = new Map<string, Message>();
  for (const message of messages) {
    const key = `${message.code} ${message.msg}`;
    found.set(key, { ...message, count: message.count + (found.get(key)?.count ?? 0) });
  }
  return [...found.values()];
}

/** Messages about the buckets of a structured query, which are queried apart from its totals. */
export function seriesMessages({ compiled: { limitApplied }, table }: QueryOutcome): readonly Message[] {
  if (limitApplied === undefined || table.rows < limitApplied.limit) return [];
  const msg = `the series hold only the first ${limitApplied.limit} buckets of groups; use fewer groups, a shorter range or a coarser resolution`;
  return [{ priority: 'warn', code: 'default_limit_warning', count: 1, msg }];
}

/** Warnings about the times of a query, if no event can match because of them. */
export function timeMessages(
  { range, backwards }: RequestedBounds,
  { timeRange, datasets }: CompiledQuery,
): readonly Message[] {
  if (datasets.length === 0) return [];
  if (backwards) return [warning(reversedRangeMessage)];
  if (range.start > range.end || timeRange.start <= timeRange.end) return [];
  const { start, end } = range.given;
  const what = start || end ? 'and the time range of the request exclude each other' : 'exclude each other';
  return [warning(`no event can match: the conditions on _time ${what}`)];
}

/**
 * Strict clients know only a few codes except those of the compiler, which are derived from the
 * message.
 */
const warning = (msg: string): Message => ({
  priority: 'warn',
  code: `apl_${msg.replaceAll(/[^A-Za-z0-9]/g, '')}_1`,
  count: 1,
  msg,
});

/** The codes that the interface has for problems with single columns. */
const columnCodes: Readonly<Partial<Record<Diagnostic['code'], string>>> = {
  missing_column: 'missing_column',
  virtual_field: 'virtual_field_finalize_error',
};

const messageOf = ({ code, message }: Diagnostic): Message => ({
  ...warning(message),
  ...(columnCodes[code] !== undefined && { code: columnCodes[code] }),
});
