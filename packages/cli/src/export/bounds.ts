import { parseDuration } from '@millrace/http/duration';
import type { ExportState } from './state.js';

const relative = /^now\s*(?:([+-])\s*(\S+))?$/;
const second = 1_000_000_000n;

/**
 * Time range of the next request. A resumed export keeps its initial range: a server would resolve
 * `now-7d` to a later time on each request and skip rows that have left the range since. The range
 * stays relative because clocks may differ.
 */
export function boundsOf(
  { start, end, cursor, began }: ExportState,
  now = Date.now(),
): { readonly startTime?: string; readonly endTime?: string } {
  const passed = cursor === null || began === undefined ? 0n : BigInt(Math.max(0, now - began)) * 1_000_000n;
  return {
    ...(start !== null && { startTime: earlier(start, passed, second - 1n) }),
    ...(end !== null && { endTime: earlier(end, passed, 0n) }),
  };
}

/**
 * Shifts a relative time back by the nanoseconds passed; other times stay unchanged. All servers
 * accept whole seconds.
 */
function earlier(text: string, passed: bigint, roundingUp: bigint): string {
  const [all, sign, distance] = relative.exec(text.trim()) ?? [];
  const offset = distance === undefined ? 0n : parseDuration(distance);
  if (all === undefined || offset === undefined || passed === 0n) return text;
  const back = passed + (sign === '+' ? -offset : offset);
  return back < 0n ? `now+${-back / second}s` : `now-${(back + roundingUp) / second}s`;
}
