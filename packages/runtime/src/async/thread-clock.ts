import { readFileSync, readlinkSync } from 'node:fs';

/** Linux reports processor time in hundredths of a second on every machine. */
const millisecondsPerTick = 10;

/** The system's ID of this thread; 0 where it is not available. */
export function currentThread(): number {
  try {
    return Number(readlinkSync('/proc/thread-self').split('/').at(-1));
  } catch {
    return 0;
  }
}

/**
 * Processor time of a thread of this process, in milliseconds; undefined when it has ended, or
 * where the system does not report it.
 */
export function processorTime(thread: number): number | undefined {
  try {
    const text = readFileSync(`/proc/self/task/${thread}/stat`, 'latin1');
    // The thread's name comes before, in parentheses, and may contain anything.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * millisecondsPerTick;
  } catch {
    return undefined;
  }
}
