import { readFileSync, readdirSync, writeFileSync } from 'node:fs';

/** What Linux knows of a process; zeros elsewhere, so that only these figures are missing there. */

/** Clock ticks a second of `/proc/<pid>/stat`; 100 on every Linux that Node runs on. */
const ticksPerSecond = 100;

const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
};

/** The process and all processes below it. */
export function familyOf(pid: number): readonly number[] {
  const tasks = ((): readonly string[] => {
    try {
      return readdirSync(`/proc/${pid}/task`);
    } catch {
      return [];
    }
  })();
  const children = tasks.flatMap((task) =>
    read(`/proc/${pid}/task/${task}/children`).split(' ').filter(Boolean).map(Number),
  );
  return [pid, ...children.flatMap(familyOf)];
}

/** CPU seconds used so far, in user and system mode. */
export function cpuSeconds(pid: number): number {
  const after = read(`/proc/${pid}/stat`).split(') ')[1]?.split(' ') ?? [];
  return (Number(after[11] ?? 0) + Number(after[12] ?? 0)) / ticksPerSecond;
}

/** Resident bytes now (`VmRSS`) or at most since the last `forgetPeak` (`VmHWM`). */
export function memoryBytes(pid: number, which: 'VmRSS' | 'VmHWM'): number {
  const line = new RegExp(`^${which}:\\s+(\\d+) kB`, 'm').exec(read(`/proc/${pid}/status`));
  return Number(line?.[1] ?? 0) * 1024;
}

/** Begins a new measurement of the most memory a process has had. */
export function forgetPeak(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
  } catch {
    // Not Linux, or not ours: the peak is the one since its start.
  }
}

/** The processor as the operating system names it. */
export const processorName = (): string => /^model name\s*: (.*)$/m.exec(read('/proc/cpuinfo'))?.[1] ?? 'unknown';
