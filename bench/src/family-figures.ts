import {
  cpuMilliseconds,
  cpuSeconds,
  familyOf,
  forgetPeak,
  peakBytes,
  residentBytes,
  countWaits,
  writtenBytes,
} from './process-figures.js';

/** Resource usage of a program and all its child processes, in total. */
export interface FamilyFigures {
  /** CPU seconds so far. */
  cpuSeconds(): number;
  /** CPU milliseconds so far, to the nanosecond, of the threads that still exist. */
  cpuMilliseconds(): number;
  /** How often a thread began to wait so far. */
  waits(): number;
  /** Bytes written to the disk so far. */
  writtenBytes(): number;
  /** Memory now. */
  residentBytes(): number;
  /** The most memory of each since `forgetPeak`. */
  peakBytes(): number;
  forgetPeak(): void;
}

export function familyFigures(pid: number): FamilyFigures {
  const sum = (figure: (pid: number) => number): number => familyOf(pid).reduce((sum, pid) => sum + figure(pid), 0);
  return {
    cpuSeconds: () => sum(cpuSeconds),
    cpuMilliseconds: () => sum(cpuMilliseconds),
    waits: () => sum(countWaits),
    writtenBytes: () => sum(writtenBytes),
    residentBytes: () => residentBytes(familyOf(pid)),
    peakBytes: () => sum(peakBytes),
    forgetPeak: () => familyOf(pid).forEach(forgetPeak),
  };
}
