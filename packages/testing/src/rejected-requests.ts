import { readLog } from './server-process.js';

/** Requests that the server rejected, from its log: why events did not arrive. */

interface Line {
  readonly time: string;
  readonly msg: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly message?: string;
}

/** Queries are left out: a check queries datasets that do not exist yet. */
const isRejected = ({ msg, status, path }: Line, since: number, time: string): boolean =>
  msg === 'request' && status >= 400 && !path.includes('_apl') && Date.parse(time) >= since;

/** Descriptions of the last rejected requests since a time, without repetitions. */
export function rejectedRequests(log: number, since: number, max = 3): readonly string[] {
  const found = readLog(log)
    .split('\n')
    .flatMap((text) => {
      const line = parseLine(text);
      if (line === undefined || !isRejected(line, since, line.time)) return [];
      return `${line.method} ${line.path} ${line.status}${line.message === undefined ? '' : `: ${line.message}`}`;
    });
  return [...new Set(found)].slice(-max);
}

/** Undefined for a line that is being written. */
function parseLine(text: string): Line | undefined {
  try {
    return JSON.parse(text) as Line;
  } catch {
    return undefined;
  }
}
