import type { Logger } from 'pino';
import type { Principal } from '../access/allowed.js';
import { runEvery } from '../async/run-every.js';
import { httpError, HttpError } from '../errors.js';
import type { Clock } from '../metadata/clock.js';
import type { Metadata } from '../metadata/metadata.js';
import type { Metrics } from '../metrics.js';
import { statusOf } from './state/status.js';
import type { MonitorStatus, Reads, StoredMonitor } from '../schemas/monitor.js';
import type { Settings } from '../settings/settings.js';
import { readsOf } from './check-query.js';
import type { MonitorDraft } from './monitor.js';
import { Outbox } from './outbox/outbox.js';
import type { Sender } from './outbox/sender.js';
import { runMonitor, skipMatches } from './schedule/run.js';
import { Scheduler } from './schedule/scheduler.js';
import type { Source } from './source.js';
import { Commits } from './state/commits.js';
import { forgetOlder, type Stand, standsIn, writeOutcomes } from './state/records.js';

/** Monitors and notifiers: what is checked before they are kept, and what runs by itself. */

export interface AlertsOptions {
  readonly metadata: Metadata;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly source: Source;
  readonly sender: Sender;
  /** Checks the query of a monitor. @throws HttpError */
  readonly checkQuery: (draft: MonitorDraft, principal: Principal) => Promise<void>;
  /** What a client is told of an error that is not its own. */
  readonly translate: (error: unknown) => HttpError | undefined;
  /** How long what runs decide may wait to be written together, milliseconds. */
  readonly commitEvery?: number;
}

const tickMilliseconds = 1000;
const forgetMilliseconds = 10 * 60_000;
const commitMilliseconds = 100;

export class Alerts {
  readonly #options: AlertsOptions;
  readonly #stands: Map<string, Stand>;
  readonly #scheduler: Scheduler;
  readonly #outbox: Outbox;
  readonly #stopping = new AbortController();
  #timers: readonly (() => Promise<void>)[] = [];

  private constructor(options: AlertsOptions, stands: Map<string, Stand>) {
    this.#options = options;
    this.#stands = stands;
    const { metadata, settings, clock, metrics, logger, source, sender, commitEvery = commitMilliseconds } = options;
    const { signal } = this.#stopping;
    const kept = { runs: settings.monitorRuns, waiting: settings.notifyWaiting };
    const commits = new Commits((outcomes) => writeOutcomes(metadata, outcomes, kept), commitEvery);
    this.#outbox = new Outbox({
      metadata,
      clock,
      metrics,
      logger,
      sender,
      signal,
      consoleUrl: settings.consoleUrl,
      opsgenieUrl: settings.opsgenieUrl,
      limits: { perMinute: settings.notifyPerMinute, retries: settings.notifyRetries, atOnce: notifiersAtOnce },
    });
    this.#scheduler = new Scheduler({
      monitors: () => metadata.monitors.list(),
      stands,
      clock,
      atOnce: settings.monitorsAtOnce,
      run: async (monitor, stand, time) => runMonitor(monitor, stand, time, await this.#dependencies(monitor)),
      skip: (monitor, stand, time) => skipMatches(monitor, stand, time, source),
      commit: (outcome) => commits.add(outcome),
      metrics,
      logger,
    });
    metrics.gauge('monitor_lag_seconds', () => this.#scheduler.lag / 1000);
  }

  static async open(options: AlertsOptions): Promise<Alerts> {
    return new Alerts(options, await standsIn(options.metadata.database));
  }

  /** Begins to run monitors and to send by itself. */
  start(): void {
    const { logger, clock, metadata, settings } = this.#options;
    const failed = (what: string) => (error: unknown) => logger.error({ err: error }, what);
    this.#timers = [
      runEvery(tickMilliseconds, () => this.tick(), failed('monitors could not be looked after')),
      runEvery(
        forgetMilliseconds,
        () => forgetOlder(clock() - settings.monitorHistory, metadata.database),
        failed('the old history of monitors could not be removed'),
      ),
    ];
  }

  /** Begins what is due. */
  async tick(): Promise<void> {
    await this.#scheduler.tick();
    await this.#outbox.tick();
  }

  /** Resolved when nothing that was begun is under way any more. */
  async idle(): Promise<void> {
    await this.#scheduler.idle();
    await this.#outbox.idle();
  }

  async close(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#timers.map((stop) => stop()));
    await this.#scheduler.stop();
    await this.#outbox.idle();
  }

  /**
   * Checks a monitor that is about to be kept; returns what its runs may read, and where they begin.
   * @throws HttpError `invalid-query`, `invalid-request`, `forbidden`
   */
  async check(draft: MonitorDraft, principal: Principal): Promise<{ readonly reads: Reads; readonly from: string }> {
    const { metadata, checkQuery, source } = this.#options;
    const known = new Set((await metadata.notifiers.list()).map(({ id }) => id));
    const unknown = draft.notifierIds.find((id) => !known.has(id));
    if (unknown !== undefined)
      throw httpError('invalid-request', {
        problem: `body 'notifierIds' names '${unknown}', which is no notifier; GET /v2/notifiers lists those there are`,
      });
    await checkQuery(draft, principal);
    return { reads: await readsOf(principal, metadata), from: String(await source.position()) };
  }

  /** @throws HttpError `invalid-request` when there are as many monitors as there may be */
  async requireRoom(): Promise<void> {
    const { metadata, settings } = this.#options;
    const { length } = await metadata.monitors.list();
    if (length >= settings.maxMonitors)
      throw httpError('invalid-request', {
        problem: `there are ${length} monitors, the most that MILLRACE_MAX_MONITORS allows; delete one, or raise it`,
      });
  }

  /** How all monitors stand. */
  async status(): Promise<readonly MonitorStatus[]> {
    const { metadata, clock } = this.#options;
    const now = clock();
    return (await metadata.monitors.list()).map((monitor) => statusOf(monitor, this.#stands.get(monitor.id), now));
  }

  async #dependencies({ intervalMinutes }: StoredMonitor) {
    const { settings, metadata, source } = this.#options;
    return {
      source,
      signal: this.#stopping.signal,
      timeout: Math.min(settings.monitorTimeout, intervalMinutes * 60_000),
      mostGroups: settings.monitorGroups,
      matchLimits: { perMinute: settings.matchesPerMinute, perDay: settings.matchesPerDay },
      notifiers: await metadata.notifiers.list(),
      annotates: settings.monitorAnnotations,
      consoleUrl: settings.consoleUrl,
      explain: (error: unknown) => this.#explain(error),
      annotation: (id: string) => metadata.annotations.find('id', id),
    };
  }

  /** Never an error's own words, which may be the engine's. */
  #explain(error: unknown): string {
    const known = error instanceof HttpError ? error : this.#options.translate(error);
    if (known !== undefined) return known.message;
    this.#options.logger.error({ err: error }, 'a run of a monitor failed');
    return 'internal error; the server log has the details';
  }
}

/** More hosts than anybody notifies; each takes a connection for as long as it answers. */
const notifiersAtOnce = 16;
