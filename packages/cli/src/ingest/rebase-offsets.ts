import type { Run } from '@millrace/sources/files/split';

/** Errors of events, with positions in the input instead of the request. */

interface SentBody {
  readonly body: Uint8Array;
  readonly offset: number;
  /** Absent if the body is the whole input. */
  readonly runs?: readonly Run[];
}

/** Format of event positions in a Millrace server's errors. */
const place = /^event \d+, line (\d+)(?:, byte (\d+))?(?:, in what begins in line (\d+))?/;
const resumption = /; reading went on at byte (\d+)$/;

/** Rebases the position in an error; if there is none, prefixes the position of the request. */
export function rebaseReason(reason: string, { body, offset, runs = [] }: SentBody): string {
  if (runs.length === 0) return reason;
  const found = place.exec(reason);
  if (found === null) return `in the part from byte ${offset}: ${reason}`;
  const [all, line, byte, first] = found;
  const run = runAt(runs, byte);
  // Lines before the run, such as a CSV header, do not count.
  const rebaseOffset = (text: string): number => Number(text) + run.line - lineEnds(body, run.at);
  const begins = first === undefined ? '' : `, in what begins in line ${rebaseOffset(first)}`;
  return `line ${rebaseOffset(line!)}${byte === undefined ? '' : `, byte ${movedByte(run, byte)}`}${begins}${reason
    .slice(all.length)
    .replace(resumption, (_, at: string) => `; reading went on at byte ${movedByte(runAt(runs, at), at)}`)}`;
}

/** The run that contains a byte of the body. Without a byte there is only one: a CSV. */
const runAt = (runs: readonly Run[], byte: string | undefined): Run =>
  (byte === undefined ? undefined : runs.findLast(({ at }) => at <= Number(byte))) ?? runs[0]!;

const movedByte = ({ at, offset }: Run, byte: string): number => Number(byte) - at + offset;

/** Line ends before a position. */
function lineEnds(bytes: Uint8Array, to: number): number {
  let ends = 0;
  for (let at = 0; at < to; at++) if (bytes[at] === 0x0a || (bytes[at] === 0x0d && bytes[at + 1] !== 0x0a)) ends++;
  return ends;
}
