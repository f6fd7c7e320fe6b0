import type { Logger } from 'pino';
import type { Clock } from '@millrace/metadata/clock';
import type { Metrics } from '@millrace/http/metrics';
import type { StoredMonitor } from '@millrace/api/schemas/monitor';
import { isOff } from '../monitor.js';
import type { RunOutcome, MonitorSnapshot } from '../state/records.js';
import { latestRun, nextRun } from './phase.js';

/**
 * Decides which monitors run. Due times derive from the stored time of the last run, not from
 * timers, so a restart changes nothing. A monitor never runs twice at the same time. Concurrency is
 * limited; the longest waiting runs first.
 */

interface SchedulerOptions {
  readonly monitors: () => Promise<readonly StoredMonitor[]>;
  /** Stored states of monitors; updated here after each write. */
  readonly stands: Map<string, MonitorSnapshot>;
  readonly clock: Clock;
  readonly atOnce: number;
  /** Runs a monitor for a time. */
  readonly run: (monitor: StoredMonitor, stand: MonitorSnapshot | undefined, time: number) => Promise<RunOutcome>;
  /** Advances the position of a match monitor that is off. */
  readonly skip: (monitor: StoredMonitor, stand: MonitorSnapshot | undefined, time: number) => Promise<RunOutcome>;
  /** Resolved when it is on disk. */
  readonly commit: (outcome: RunOutcome) => Promise<void>;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

/** Delay before a run whose outcome could not be stored is repeated. */
const pauseMilliseconds = 5000;

interface Due {
  readonly monitor: StoredMonitor;
  readonly since: number;
}

export class Scheduler {
  readonly #options: SchedulerOptions;
  readonly #activeRuns = new Map<string, Promise<void>>();
  /** Monitors whose query runs; the others of `#activeRuns` wait for the disk. */
  #queryCount = 0;
  #lag = 0;
  /** Monitors whose last outcome could not be stored, and when the next attempt is due. */
  readonly #retryTimes = new Map<string, number>();
  #isStopped = false;
  #isTicking = false;

  constructor(options: SchedulerOptions) {
    this.#options = options;
  }

  /** Milliseconds by which the monitor that waits longest is late; 0 if none waits. */
  get lag(): number {
    return this.#lag;
  }

  /** Starts due runs, up to the concurrency limit. */
  async tick(): Promise<void> {
    // One at a time; each run ends with another tick.
    if (this.#isStopped || this.#isTicking) return;
    this.#isTicking = true;
    try {
      const due = await this.#due();
      for (const each of due) {
        if (this.#queryCount >= this.#options.atOnce) break;
        this.#begin(each);
      }
      const waiting = due.find(({ monitor }) => !this.#activeRuns.has(monitor.id));
      this.#lag = waiting === undefined ? 0 : this.#options.clock() - waiting.since;
    } finally {
      this.#isTicking = false;
    }
  }

  /** Resolves when no run is in progress. */
  async idle(): Promise<void> {
    while (this.#activeRuns.size > 0) await Promise.all(this.#activeRuns.values());
  }

  /** Starts no more runs, and waits for running ones. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.idle();
  }

  /** Due monitors, longest waiting first. */
  async #due(): Promise<readonly Due[]> {
    const { monitors, stands, clock } = this.#options;
    const now = clock();
    const all = await monitors();
    if (stands.size > 2 * all.length + 100) this.#forgetOthers(all);
    return all
      .filter(({ id }) => !this.#activeRuns.has(id) && !this.#isPaused(id, now))
      .filter((monitor) => monitor.type === 'MatchEvent' || !monitor.disabled)
      .map((monitor) => ({ monitor, since: nextRun(monitor, stands.get(monitor.id)?.ran, now) }))
      .filter(({ since }) => since <= now)
      .toSorted((a, b) => a.since - b.since);
  }

  #isPaused(id: string, now: number): boolean {
    const until = this.#retryTimes.get(id) ?? 0;
    // The clock may have been set back.
    return until > now && until <= now + pauseMilliseconds;
  }

  #forgetOthers(present: readonly StoredMonitor[]): void {
    const ids = new Set(present.map(({ id }) => id));
    for (const id of this.#options.stands.keys()) if (!ids.has(id)) this.#options.stands.delete(id);
  }

  #begin({ monitor }: Due): void {
    this.#queryCount++;
    let asking = true;
    const onAsked = (): void => {
      if (!asking) return;
      asking = false;
      this.#queryCount--;
    };
    const running = this.#one(monitor, onAsked)
      .then(() => void this.#retryTimes.delete(monitor.id))
      .catch((error: unknown) => {
        // The disk may be full for long: another attempt at once would only be the first of very
        // many.
        this.#retryTimes.set(monitor.id, this.#options.clock() + pauseMilliseconds);
        if (!this.#isStopped)
          this.#options.logger.error(
            { err: error, monitor: monitor.id },
            'could not store the run of a monitor; retrying',
          );
      })
      .finally(() => {
        onAsked();
        this.#activeRuns.delete(monitor.id);
        void this.tick().catch(() => undefined);
      });
    this.#activeRuns.set(monitor.id, running);
  }

  async #one(monitor: StoredMonitor, onAsked: () => void): Promise<void> {
    const { stands, clock, run, skip, commit, metrics } = this.#options;
    const now = clock();
    const time = latestRun(monitor, now);
    const stand = stands.get(monitor.id);
    const skips = monitor.type === 'MatchEvent' && isOff(monitor, now);
    const outcome = skips ? await skip(monitor, stand, time) : await run(monitor, stand, time);
    // The next one need not wait for the disk.
    onAsked();
    void this.tick().catch(() => undefined);
    await commit(outcome);
    stands.set(monitor.id, { ran: outcome.ran, state: outcome.state });
    metrics.count('monitor_runs_total', 1, { outcome: outcome.run.state });
    metrics.observe('monitor_run_seconds', outcome.run.milliseconds / 1000);
  }
}
