import { readFileSync } from 'node:fs';

/** The kernel's view of the main thread of a process. */
interface MainThread {
  /**
   * `R` is running or runnable, `D` waits for the disk or for memory, `S` waits for something else,
   * `T` is stopped.
   */
  readonly state: string;
  /** Processor time, in ticks. */
  readonly ticks: number;
}

/** Undefined when the process has exited, or the system does not report it. */
export function mainThreadOf(pid: number): MainThread | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'latin1');
    // The name of the program comes before, in parentheses, and may contain any character.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0] ?? '', ticks: Number(fields[11]) + Number(fields[12]) };
  } catch {
    return undefined;
  }
}
