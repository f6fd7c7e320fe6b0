import { readFileSync, writeFileSync } from 'node:fs';

/** What the kernel says of a process's memory, in bytes; zeros when it is gone. */
export function memoryOf(pid: number | undefined): { readonly now: number; readonly peak: number } {
  try {
    const text = readFileSync(`/proc/${pid}/status`, 'latin1');
    const figure = (name: string): number =>
      Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0) * 1024;
    return { now: figure('VmRSS'), peak: figure('VmHWM') };
  } catch {
    return { now: 0, peak: 0 };
  }
}

/** The peak begins again at what there is now. */
export function forgetPeak(pid: number | undefined): void {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
  } catch {
    // It is gone, or the kernel does not allow it; then the peak is that since the start.
  }
}
