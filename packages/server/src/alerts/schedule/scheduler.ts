import type { Logger } from 'pino';
import type { Clock } from '../../metadata/clock.js';
import type { Metrics } from '../../metrics.js';
import type { StoredMonitor } from '../../schemas/monitor.js';
import { isOff } from '../monitor.js';
import type { Outcome, Stand } from '../state/records.js';
import { latestRun, nextRun } from './phase.js';

/**
 * Decides which monitors run. What is due follows from the time of the last run, which is on disk,
 * and not from timers: a restart changes nothing. No monitor runs twice at once, and only so many
 * do together; those that have waited longest are first.
 */

interface SchedulerOptions {
  readonly monitors: () => Promise<readonly StoredMonitor[]>;
  /** Where monitors stand, as it is on disk. Changed here when a run has been written. */
  readonly stands: Map<string, Stand>;
  readonly clock: Clock;
  readonly atOnce: number;
  /** Runs a monitor for a time. */
  readonly run: (monitor: StoredMonitor, stand: Stand | undefined, time: number) => Promise<Outcome>;
  /** Goes on behind what comes while a monitor is off. */
  readonly skip: (monitor: StoredMonitor, stand: Stand | undefined, time: number) => Promise<Outcome>;
  /** Resolved when it is on disk. */
  readonly commit: (outcome: Outcome) => Promise<void>;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

/** Until a run that could not be kept is made again. */
const pauseMilliseconds = 5000;

interface Due {
  readonly monitor: StoredMonitor;
  readonly since: number;
}

export class Scheduler {
  readonly #options: SchedulerOptions;
  readonly #running = new Map<string, Promise<void>>();
  /** Monitors whose query runs; the others of `#running` wait for the disk. */
  #asking = 0;
  #lag = 0;
  /** Monitors whose last run could not be kept, and when the next attempt is due. */
  readonly #failed = new Map<string, number>();
  #stopped = false;
  #ticking = false;

  constructor(options: SchedulerOptions) {
    this.#options = options;
  }

  /** Milliseconds by which the monitor that waits longest is late; 0 if none waits. */
  get lag(): number {
    return this.#lag;
  }

  /** Begins what is due, as far as there is room. */
  async tick(): Promise<void> {
    // One at a time; the end of each run asks again.
    if (this.#stopped || this.#ticking) return;
    this.#ticking = true;
    try {
      const due = await this.#due();
      for (const each of due) {
        if (this.#asking >= this.#options.atOnce) break;
        this.#begin(each);
      }
      const waiting = due.find(({ monitor }) => !this.#running.has(monitor.id));
      this.#lag = waiting === undefined ? 0 : this.#options.clock() - waiting.since;
    } finally {
      this.#ticking = false;
    }
  }

  /** Resolved when nothing runs. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values());
  }

  /** Begins nothing more, and waits for what runs. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.idle();
  }

  /** Those that have waited longest first. */
  async #due(): Promise<readonly Due[]> {
    const { monitors, stands, clock } = this.#options;
    const now = clock();
    const all = await monitors();
    if (stands.size > 2 * all.length + 100) this.#forgetOthers(all);
    return all
      .filter(({ id }) => !this.#running.has(id) && (this.#failed.get(id) ?? 0) <= now)
      .filter((monitor) => monitor.type === 'MatchEvent' || !isOff(monitor, now))
      .map((monitor) => ({ monitor, since: nextRun(monitor, stands.get(monitor.id)?.ran, now) }))
      .filter(({ since }) => since <= now)
      .toSorted((a, b) => a.since - b.since);
  }

  #forgetOthers(present: readonly StoredMonitor[]): void {
    const ids = new Set(present.map(({ id }) => id));
    for (const id of this.#options.stands.keys()) if (!ids.has(id)) this.#options.stands.delete(id);
  }

  #begin({ monitor }: Due): void {
    this.#asking++;
    let asking = true;
    const asked = (): void => {
      if (!asking) return;
      asking = false;
      this.#asking--;
    };
    const running = this.#one(monitor, asked)
      .then(() => void this.#failed.delete(monitor.id))
      .catch((error: unknown) => {
        // The disk may be full for long: another attempt at once would only be the first of very
        // many.
        this.#failed.set(monitor.id, this.#options.clock() + pauseMilliseconds);
        if (!this.#stopped)
          this.#options.logger.error(
            { err: error, monitor: monitor.id },
            'a run of a monitor could not be kept; it is made again',
          );
      })
      .finally(() => {
        asked();
        this.#running.delete(monitor.id);
        void this.tick().catch(() => undefined);
      });
    this.#running.set(monitor.id, running);
  }

  async #one(monitor: StoredMonitor, asked: () => void): Promise<void> {
    const { stands, clock, run, skip, commit, metrics } = this.#options;
    const now = clock();
    const time = latestRun(monitor, now);
    const stand = stands.get(monitor.id);
    const outcome = isOff(monitor, now) ? await skip(monitor, stand, time) : await run(monitor, stand, time);
    // The next one need not wait for the disk.
    asked();
    void this.tick().catch(() => undefined);
    await commit(outcome);
    stands.set(monitor.id, { ran: outcome.ran, state: outcome.state });
    metrics.count('monitor_runs_total', 1, { outcome: outcome.run.state });
    metrics.observe('monitor_run_seconds', outcome.run.milliseconds / 1000);
  }
}
