import { parseDuration } from '@millrace/server/duration';
import type { ExportState } from './state.js';

const relative = /^now\s*(?:([+-])\s*(\S+))?$/;
const second = 1_000_000_000n;

/**
 * The time range of the next request. What continues an export names the range of its beginning: a
 * server understands `now-7d` as a later time with each request, and the rows that left the range
 * meanwhile would be missing. It stays relative, as the clocks may differ.
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
 * A relative time as it has to be written when so many nanoseconds have passed; any other as it is.
 * Whole seconds are known to all servers.
 */
function earlier(text: string, passed: bigint, roundingUp: bigint): string {
  const [all, sign, distance] = relative.exec(text.trim()) ?? [];
  const offset = distance === undefined ? 0n : parseDuration(distance);
  if (all === undefined || offset === undefined || passed === 0n) return text;
  const back = passed + (sign === '+' ? -offset : offset);
  return back < 0n ? `now+${-back / second}s` : `now-${(back + roundingUp) / second}s`;
}
