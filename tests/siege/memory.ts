import { readFileSync, writeFileSync } from 'node:fs';

/** Memory usage of a process according to the kernel, in bytes; zeros if it has exited. */
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

/** Resets the peak to the current usage. */
export function forgetPeak(pid: number | undefined): void {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
  } catch {
    // It has exited, or the kernel does not allow it; then the peak is since the start.
  }
}
