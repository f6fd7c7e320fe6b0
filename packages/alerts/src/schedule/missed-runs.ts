import { aboutOf, type StoredMonitor } from '@millrace/api/schemas/monitor';
import { isLow } from '../outbox/compose.js';
import type { MonitorSnapshot } from '../state/records.js';
import { nextRun } from './phase.js';

/** Runs of threshold monitors that a busy or stopped server has missed. */

interface MissedLimits {
  /** Maximum runs to make up; of more, the oldest are left out. */
  readonly maxMissed: number;
  /** When this process began to run monitors, milliseconds since the epoch. */
  readonly since: number;
  /** When the monitor was last seen to be disabled, milliseconds since the epoch; 0 for never. */
  readonly disabledUntil: number;
}

/**
 * Scheduled times of missed runs, oldest first. None for a value that is too low if the server
 * started in the meantime: events that it could not take look like missing ones.
 */
export function missedRuns(
  monitor: StoredMonitor,
  stand: MonitorSnapshot | undefined,
  time: number,
  { maxMissed, since, disabledUntil }: MissedLimits,
): readonly number[] {
  if (monitor.type !== 'Threshold' || stand === undefined || stand.state.about !== aboutOf(monitor)) return [];
  if (isLow(monitor) && stand.ran < since) return [];
  const interval = monitor.intervalMinutes * 60_000;
  const from = Math.max(stand.ran, disabledUntil, time - (maxMissed + 1) * interval);
  const times: number[] = [];
  for (let missed = nextRun(monitor, from, time); missed < time; missed += interval) times.push(missed);
  return times;
}

/** Share of the time that making up runs may take for long. */
const refill = 0.1;

/**
 * Query time for missed runs of all monitors together. An overloaded server misses runs all the
 * time; it must not delay the newest runs by making up older ones.
 */
export class MissedRunBudget {
  readonly #max: number;
  readonly #now: () => number;
  #remainingTime: number;
  #updatedAt: number;

  /** @param max milliseconds */
  constructor(max: number, now: () => number = () => performance.now()) {
    this.#max = max;
    this.#now = now;
    this.#remainingTime = max;
    this.#updatedAt = now();
  }

  get isSpent(): boolean {
    this.#update();
    return this.#remainingTime <= 0;
  }

  /** Runs a query and counts its time. */
  async spend<T>(query: () => Promise<T>): Promise<T> {
    const began = this.#now();
    try {
      return await query();
    } finally {
      this.#update();
      this.#remainingTime -= this.#now() - began;
    }
  }

  #update(): void {
    const now = this.#now();
    this.#remainingTime = Math.min(this.#max, this.#remainingTime + Math.max(0, now - this.#updatedAt) * refill);
    this.#updatedAt = now;
  }
}
