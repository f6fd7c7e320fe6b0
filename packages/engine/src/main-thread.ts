import { readFileSync } from 'node:fs';

/** What the kernel says of the main thread of a process. */
interface MainThread {
  /**
   * `R` runs or could, `D` waits for the disk or for memory, `S` waits for something else, `T` is
   * stopped.
   */
  readonly state: string;
  /** Time on a processor, in ticks. */
  readonly ticks: number;
}

/** Undefined when the process is gone, or the system does not tell. */
export function mainThreadOf(pid: number): MainThread | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'latin1');
    // The name of the program comes before, in parentheses, and may have anything in it.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0] ?? '', ticks: Number(fields[11]) + Number(fields[12]) };
  } catch {
    return undefined;
  }
}
