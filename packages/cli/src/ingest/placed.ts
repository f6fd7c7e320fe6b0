import type { Run } from './split.js';

/**
 * The reason why an event failed, with the place where it is in the input rather than in the
 * request.
 */

interface Sent {
  readonly body: Uint8Array;
  readonly offset: number;
  /** None if the body is the whole input. */
  readonly runs?: readonly Run[];
}

/** How a server of this project names the place of an event in a request. */
const place = /^event \d+, line (\d+)(?:, byte (\d+))?(?:, in what begins in line (\d+))?/;
const resumption = /; reading went on at byte (\d+)$/;

/**
 * A server's reason, its place moved to the input; where that cannot be read, after the place of
 * the request.
 */
export function placed(reason: string, { body, offset, runs = [] }: Sent): string {
  if (runs.length === 0) return reason;
  const found = place.exec(reason);
  if (found === null) return `in the part from byte ${offset}: ${reason}`;
  const [all, line, byte, first] = found;
  const run = runAt(runs, byte);
  // What is in front of the run in the body, such as the names of a CSV, has lines that count for
  // nothing.
  const moved = (text: string): number => Number(text) + run.line - lineEnds(body, run.at);
  const begins = first === undefined ? '' : `, in what begins in line ${moved(first)}`;
  return `line ${moved(line!)}${byte === undefined ? '' : `, byte ${movedByte(run, byte)}`}${begins}${reason
    .slice(all.length)
    .replace(resumption, (_, at: string) => `; reading went on at byte ${movedByte(runAt(runs, at), at)}`)}`;
}

/** The run that has a byte of the body. Without a byte there is only one: what a CSV becomes. */
const runAt = (runs: readonly Run[], byte: string | undefined): Run =>
  (byte === undefined ? undefined : runs.findLast(({ at }) => at <= Number(byte))) ?? runs[0]!;

const movedByte = ({ at, offset }: Run, byte: string): number => Number(byte) - at + offset;

/** The lines that end before a place. */
function lineEnds(bytes: Uint8Array, to: number): number {
  let ends = 0;
  for (let at = 0; at < to; at++) if (bytes[at] === 0x0a || (bytes[at] === 0x0d && bytes[at + 1] !== 0x0a)) ends++;
  return ends;
}
