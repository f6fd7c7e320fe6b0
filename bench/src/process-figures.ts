import { readFileSync, readdirSync, writeFileSync } from 'node:fs';

/**
 * Process statistics from Linux. Zeros on other systems, so that only these metrics are missing
 * there.
 */

/** Clock ticks per second in `/proc/<pid>/stat`; 100 on every Linux that Node runs on. */
const ticksPerSecond = 100;

const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
};

/** The directories of a process's threads. */
function tasksOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

/** The process and all processes below it. */
export function familyOf(pid: number): readonly number[] {
  const children = tasksOf(pid).flatMap((task) =>
    read(`/proc/${pid}/task/${task}/children`).split(' ').filter(Boolean).map(Number),
  );
  return [pid, ...children.flatMap(familyOf)];
}

/** CPU seconds used so far, in user and system mode. */
export function cpuSeconds(pid: number): number {
  const after = read(`/proc/${pid}/stat`).split(') ')[1]?.split(' ') ?? [];
  return (Number(after[11] ?? 0) + Number(after[12] ?? 0)) / ticksPerSecond;
}

/**
 * CPU milliseconds used so far by the threads the process has now, to the nanosecond: for work that
 * takes only a few ticks. The time of a thread that has ended is lost.
 */
export function cpuMilliseconds(pid: number): number {
  const nanoseconds = tasksOf(pid).map((task) => Number(read(`/proc/${pid}/task/${task}/schedstat`).split(' ')[0]));
  return nanoseconds.reduce((sum, some) => sum + some, 0) / 1e6;
}

/**
 * How often the threads that the process has now began to wait so far. Without work that is how
 * often they wake.
 */
export function countWaits(pid: number): number {
  const counts = tasksOf(pid).map((task) =>
    Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(read(`/proc/${pid}/task/${task}/status`))?.[1] ?? 0),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Bytes that the process has caused to be written to the disk so far. */
export const writtenBytes = (pid: number): number =>
  Number(/^write_bytes: (\d+)/m.exec(read(`/proc/${pid}/io`))?.[1] ?? 0);

/** The most resident bytes since the last `forgetPeak`. */
export function peakBytes(pid: number): number {
  const line = /^VmHWM:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`));
  return Number(line?.[1] ?? 0) * 1024;
}

/**
 * Resident bytes of several processes together. A page of a file that several of them map, such as
 * their program, counts once: each file counts as in the process with the largest part. The sum of
 * `VmRSS` would count it per process; `Pss` would also divide it among processes outside this
 * group.
 */
export function residentBytes(pids: readonly number[]): number {
  let anonymous = 0;
  const files = new Map<string, number>();
  for (const pid of pids) {
    const own = new Map<string, number>();
    let path = '';
    for (const line of read(`/proc/${pid}/smaps`).split('\n')) {
      const mapping = /^[\da-f]+-[\da-f]+ \S+ \S+ \S+ (\d+)\s*(.*)$/.exec(line);
      // An inode of 0 marks memory not backed by a file: `[heap]`, `[stack]` or without a name.
      if (mapping !== null) path = mapping[1] === '0' ? '' : mapping[2]!;
      const rss = /^Rss:\s+(\d+) kB/.exec(line);
      if (rss !== null) own.set(path, (own.get(path) ?? 0) + Number(rss[1]) * 1024);
    }
    anonymous += own.get('') ?? 0;
    own.delete('');
    for (const [file, bytes] of own) files.set(file, Math.max(files.get(file) ?? 0, bytes));
  }
  return anonymous + [...files.values()].reduce((sum, bytes) => sum + bytes, 0);
}

/** Resets the peak of a process's memory. */
export function forgetPeak(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
  } catch {
    // Not Linux, or another user's process: the peak remains the one since its start.
  }
}

/** The processor as the operating system names it. */
export const processorName = (): string => /^model name\s*: (.*)$/m.exec(read('/proc/cpuinfo'))?.[1] ?? 'unknown';
