import type { Diagnostic } from '@millrace/apl';
import { formatRfc3339 } from '@millrace/events';
import type { QueryOutcome } from './run.js';

/** Rows the engine reads at a time: the unit of the block figures. */
const blockRows = 8192;
const cacheMiss = 1;

/** The `status` member of an answer. */
export function statusOf(outcome: QueryOutcome, echoedCursor: string | undefined): Record<string, unknown> {
  const { compiled, rowsExamined, rowsMatched, rowsRead, table, elapsedMicroseconds } = outcome;
  const { start, end } = compiled.timeRange;
  return {
    elapsedTime: elapsedMicroseconds,
    blocksExamined: Math.ceil(rowsExamined / blockRows),
    blocksCached: 0,
    blocksMatched: Math.ceil(Math.min(rowsRead, rowsExamined) / blockRows),
    blocksSkipped: Math.ceil(Math.max(0, rowsExamined - rowsRead) / blockRows),
    rowsExamined,
    rowsMatched,
    numGroups: compiled.presentation.kind === 'events' ? 0 : table.rows,
    isPartial: false,
    cacheStatus: cacheMiss,
    minBlockTime: formatRfc3339(start),
    maxBlockTime: formatRfc3339(end),
    ...cursorsOf(outcome, echoedCursor),
    messages: messagesOf(outcome),
  };
}

/** Oldest and newest row of an answer of events in the order of time. An empty page gives back the cursor it came with. */
function cursorsOf({ rowIds, compiled }: QueryOutcome, echoed: string | undefined): Record<string, string> {
  if (rowIds === undefined) return {};
  const [first, last] = [rowIds[0] ?? echoed, rowIds.at(-1) ?? echoed];
  const order = compiled.presentation.order[0];
  if (first === undefined || last === undefined || order?.field !== '_time') return {};
  return order.desc ? { minCursor: last, maxCursor: first } : { minCursor: first, maxCursor: last };
}

interface Message {
  readonly priority: string;
  readonly code: string;
  readonly count: number;
  readonly msg: string;
}

function messagesOf({ compiled, rowsMatched, table }: QueryOutcome): readonly Message[] {
  const messages = compiled.diagnostics.filter(({ severity }) => severity === 'warning').map(messageOf);
  const { limitApplied } = compiled;
  const cut = limitApplied !== undefined && table.rows === limitApplied.limit && rowsMatched > table.rows;
  if (!cut) return messages;
  const msg = `only the first ${limitApplied.limit} of ${rowsMatched} rows are returned; add a limit or narrow the query`;
  return [...messages, { priority: 'warn', code: 'default_limit_warning', count: 1, msg }];
}

/** Strict clients know few codes besides those of the compiler, which are made of the message. */
function messageOf({ code, message }: Diagnostic): Message {
  const compilerCode = `apl_${message.replaceAll(/[^A-Za-z0-9]/g, '')}_1`;
  return { priority: 'warn', code: code === 'missing_column' ? code : compilerCode, count: 1, msg: message };
}
