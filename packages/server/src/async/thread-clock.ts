import { readFileSync, readlinkSync } from 'node:fs';

/** Linux tells processor time in hundredths of a second, whatever the machine. */
const millisecondsPerTick = 10;

/** The number by which the system knows this thread; 0 where it does not tell. */
export function ownThread(): number {
  try {
    return Number(readlinkSync('/proc/thread-self').split('/').at(-1));
  } catch {
    return 0;
  }
}

/**
 * How long a thread of this process has been on a processor, in milliseconds; undefined when it is
 * gone, or the system does not tell.
 */
export function processorTime(thread: number): number | undefined {
  try {
    const text = readFileSync(`/proc/self/task/${thread}/stat`, 'latin1');
    // The name of the thread comes before, in parentheses, and may have anything in it.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * millisecondsPerTick;
  } catch {
    return undefined;
  }
}
