import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Principal } from '@millrace/http/access/authorize';
import { runEvery } from '@millrace/runtime/async/run-every';
import { httpError, HttpError } from '@millrace/api/errors';
import type { Clock } from '@millrace/metadata/clock';
import type { Metadata } from '@millrace/metadata/metadata';
import type { Metrics } from '@millrace/http/metrics';
import type { NodeInfo } from '@millrace/metadata/nodes/node';
import { shownBackTest, toApiRun, statusOf } from './state/status.js';
import type { MonitorPreview, MonitorStatus, Reads, ServerHealth, StoredMonitor } from '@millrace/api/schemas/monitor';
import type { Settings } from '@millrace/http/settings/settings';
import { readsOf } from './check-query.js';
import { healthMonitor, runHealth } from './health.js';
import { isOff, type MonitorDraft } from './monitor.js';
import { deliver } from './outbox/deliver.js';
import { testNotification, withoutKey } from './outbox/test-notification.js';
import { backTest } from './back-test/back-test.js';
import type { Notifier, NotifierPreview, NotifierTest, WriteNotifier } from '@millrace/api/schemas/notifier';
import { previewNotifier } from './outbox/preview-notifier.js';
import { Outbox } from './outbox/outbox.js';
import type { Sender } from './outbox/sender.js';
import { runMonitor, skipMatches } from './schedule/run.js';
import { forgetSilences } from './silences/forget-silences.js';
import { silencedUntil } from './silences/silenced-until.js';
import { Scheduler } from './schedule/scheduler.js';
import type { Source } from './source.js';
import { Commits } from './state/commits.js';
import {
  forgetOlder,
  healthMonitorId,
  runsOf,
  type MonitorSnapshot,
  loadSnapshots,
  writeOutcomes,
} from './state/records.js';

/**
 * Monitors and notifiers: checks drafts before they are stored, and runs monitors and the outbox on
 * timers.
 */

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
  /** Maps an error of a query to the error that a client may see. */
  readonly translate: (error: unknown) => HttpError | undefined;
  /** Problems of the server itself; empty by default. */
  readonly health?: () => readonly string[];
  /** Tells whether this process is the leader, if several share the monitors. */
  readonly node?: Pick<NodeInfo, 'onDuty'>;
  /** Maximum delay of outcomes until they are written in a common transaction, milliseconds. */
  readonly commitEvery?: number;
}

const tickMilliseconds = 1000;
const forgetMilliseconds = 10 * 60_000;
const commitMilliseconds = 100;
/** Runs shown for the health monitor, as in the list of other monitors. */
const healthRuns = 30;
const dayMilliseconds = 86_400_000;

export class Alerts {
  readonly #options: AlertsOptions;
  readonly #stands: Map<string, MonitorSnapshot>;
  readonly #scheduler: Scheduler;
  readonly #outbox: Outbox;
  /** When the runs of the server's own monitor began to be counted. */
  readonly #since: string;
  readonly #stopping = new AbortController();
  #timers: readonly (() => Promise<void>)[] = [];
  #onDuty: boolean;

  private constructor(options: AlertsOptions, stands: Map<string, MonitorSnapshot>) {
    this.#options = options;
    this.#stands = stands;
    this.#onDuty = this.#isOnDuty();
    this.#since = new Date(options.clock()).toISOString();
    const { metadata, settings, clock, metrics, logger, source, sender, commitEvery = commitMilliseconds } = options;
    const { signal } = this.#stopping;
    const kept = { runs: settings.monitorRuns, waiting: settings.notifyWaiting, shared: settings.nodes === 'shared' };
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
      templateSteps: settings.templateSteps,
      limits: {
        perMinute: settings.notifyPerMinute,
        retries: settings.notifyRetries,
        closingRetries: settings.notifyClosingRetries,
        mostAlone: settings.notifyGroups,
        atOnce: notifiersAtOnce,
      },
    });
    this.#scheduler = new Scheduler({
      monitors: () => this.#monitors(),
      stands,
      clock,
      atOnce: settings.monitorsAtOnce,
      run: async (monitor, stand, time) => {
        const deps = await this.#dependencies(monitor);
        if (monitor.id !== healthMonitorId) return runMonitor(monitor, stand, time, deps);
        return runHealth(monitor, stand, time, { reasons: options.health?.() ?? [], deps });
      },
      skip: (monitor, stand, time) => skipMatches(monitor, stand, time, source),
      commit: (outcome) => commits.add(outcome),
      metrics,
      logger,
    });
    metrics.gauge('monitor_lag_seconds', () => this.#scheduler.lag / 1000);
  }

  static async open(options: AlertsOptions): Promise<Alerts> {
    return new Alerts(options, await loadSnapshots(options.metadata.database));
  }

  /** Starts the timers that run monitors and send notifications. */
  start(): void {
    const { logger, clock, metadata, settings } = this.#options;
    const failed = (what: string) => (error: unknown) => logger.error({ err: error }, what);
    this.#timers = [
      runEvery(tickMilliseconds, () => this.tick(), failed('monitor scheduling failed')),
      runEvery(
        forgetMilliseconds,
        async () => {
          if (!this.#isOnDuty()) return;
          await forgetOlder(clock() - settings.monitorHistory, metadata.database);
          await forgetSilences(clock() - settings.monitorHistory, metadata);
        },
        failed('the old history of monitors could not be removed'),
      ),
    ];
  }

  #isOnDuty(): boolean {
    return this.#options.node?.onDuty() ?? true;
  }

  /**
   * Whether this process runs them. If it did not before, another one has, and monitors stand where
   * that one left them.
   */
  async #takesTurn(): Promise<boolean> {
    const isOnDuty = this.#isOnDuty();
    if (isOnDuty && !this.#onDuty) {
      const stands = await loadSnapshots(this.#options.metadata.database);
      this.#stands.clear();
      for (const [id, stand] of stands) this.#stands.set(id, stand);
    }
    this.#onDuty = isOnDuty;
    return isOnDuty;
  }

  /** Current states of all monitors, on the leader and on other nodes. */
  async #standsNow(): Promise<ReadonlyMap<string, MonitorSnapshot>> {
    return this.#onDuty ? this.#stands : loadSnapshots(this.#options.metadata.database);
  }

  /** Starts due runs and due notifications. */
  async tick(): Promise<void> {
    if (!(await this.#takesTurn())) return;
    await this.#scheduler.tick();
    await this.#outbox.tick();
  }

  /** Resolves when no run and no notification is in flight. */
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
   * Checks a monitor before it is stored; returns the read permissions of its runs and the log
   * position where they start.
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
    const reads = await readsOf(principal, metadata);
    await this.#requireFewMatches(draft, reads);
    return { reads, from: String(await source.position()) };
  }

  /**
   * Rejects a match monitor that would exceed its notification limit. Does not check monitors that
   * are off, so that one can be turned off.
   */
  async #requireFewMatches(draft: MonitorDraft, reads: Reads): Promise<void> {
    const { clock, settings, source } = this.#options;
    const end = clock();
    if (draft.type !== 'MatchEvent' || draft.language === 'mpl' || isOff(draft, end)) return;
    const counted = await source
      .table({
        apl: `${draft.aplQuery}\n| count`,
        reads,
        signal: this.#stopping.signal,
        timeout: settings.monitorTimeout,
        start: end - dayMilliseconds,
        end,
      })
      // Whether the query works is shown by its runs.
      .catch(() => undefined);
    const count = counted?.columns[0]?.values[0];
    if (typeof count === 'number' && count > settings.matchesPerDay)
      throw httpError('invalid-request', {
        problem: `body 'aplQuery' matched ${count} events in the last day, and a monitor tells of ${settings.matchesPerDay} at most; narrow it, or compare a count with a Threshold monitor`,
      });
  }

  /** @throws HttpError `quota-reached` at the maximum number of monitors */
  async requireRoom(): Promise<void> {
    const { metadata, settings } = this.#options;
    const { length } = await metadata.monitors.list();
    if (length >= settings.maxMonitors)
      throw httpError('quota-reached', {
        problem: `there are ${length} monitors already`,
        setting: 'MILLRACE_MAX_MONITORS',
      });
  }

  /**
   * Default start of a back-test: a day before its end, or less if that has more runs than one
   * back-test may make. The first and the last run are included.
   */
  previewStart({ intervalMinutes }: Pick<MonitorDraft, 'intervalMinutes'>, end: number): number {
    const longest = (this.#options.settings.previewRuns - 1) * intervalMinutes * 60_000;
    return end - Math.min(dayMilliseconds, longest);
  }

  /**
   * Back-tests a monitor.
   * @throws HttpError as `check` does, and `invalid-request` for a time range without runs
   */
  async preview(
    draft: MonitorDraft,
    { from, to }: { readonly from: number; readonly to: number },
    principal: Principal,
    signal: AbortSignal,
  ): Promise<MonitorPreview> {
    if (draft.type === 'MatchEvent')
      throw httpError('invalid-request', {
        problem: "body 'monitor.type' MatchEvent has no preview: run its query to see which events match",
      });
    if (from > to) throw httpError('invalid-request', { problem: "body 'startTime' must not be after 'endTime'" });
    const checked = await this.check(draft, principal);
    const { settings, source } = this.#options;
    const at = new Date(from).toISOString();
    const monitor = { ...draft, ...checked, id: 'preview', createdAt: at, updatedAt: at, createdBy: '' };
    const past = await backTest(
      monitor,
      { from, to: Math.min(to, this.#options.clock()) },
      {
        source,
        signal: AbortSignal.any([signal, this.#stopping.signal]),
        timeout: settings.monitorTimeout,
        deadline: performance.now() + settings.queryTimeout,
        mostRuns: settings.previewRuns,
        mostGroups: settings.monitorGroups,
        explain: (error) => this.#explain(error),
      },
    );
    return shownBackTest(past);
  }

  /** Sends a notification to see whether it arrives. */
  async test(notifier: Notifier): Promise<NotifierTest> {
    const { clock, settings, sender } = this.#options;
    const now = new Date(clock()).toISOString();
    const began = performance.now();
    const { attempt, request, answer } = await deliver(`test-${randomUUID()}`, testNotification(now), notifier, {
      sender,
      signal: this.#stopping.signal,
      consoleUrl: settings.consoleUrl,
      opsgenieUrl: settings.opsgenieUrl,
      templateSteps: settings.templateSteps,
    });
    return {
      outcome: attempt.kind,
      ...(attempt.kind !== 'delivered' && { problem: attempt.problem }),
      milliseconds: Math.round(performance.now() - began),
      // Webhook paths are secrets, and so is the start of some bodies.
      ...(request !== undefined && {
        request: { url: new URL(request.url).origin, body: withoutKey(request.body, notifier) },
      }),
      ...(answer !== undefined && { answer: { status: answer.status, body: answer.text.slice(0, 4096) } }),
    };
  }

  /** Renders a notification without sending it. */
  previewNotifier(notifier: WriteNotifier): readonly NotifierPreview[] {
    const { clock, settings } = this.#options;
    return previewNotifier(notifier, new Date(clock()).toISOString(), settings);
  }

  /** How all monitors stand. */
  async status(): Promise<readonly MonitorStatus[]> {
    const { metadata, clock, settings } = this.#options;
    const now = clock();
    const stands = await this.#standsNow();
    const silences = await metadata.silences.list();
    return (await metadata.monitors.list()).map((monitor) => ({
      ...statusOf(monitor, stands.get(monitor.id), now, settings.statusGroups),
      ...silencedUntil(monitor, silences, now),
    }));
  }

  /** State and recent runs of the health monitor. */
  async ownHealth(): Promise<ServerHealth> {
    const { metadata, clock, settings } = this.#options;
    const monitor = await this.#ownMonitor();
    const runs = await runsOf(monitor.id, metadata.database);
    return {
      ...statusOf(monitor, (await this.#standsNow()).get(monitor.id), clock(), settings.statusGroups),
      notifierIds: [...monitor.notifierIds],
      runs: runs.slice(0, healthRuns).map(toApiRun),
    };
  }

  async #ownMonitor(): Promise<StoredMonitor> {
    const { metadata, settings } = this.#options;
    const told = (await metadata.notifiers.list()).filter(({ id, name }) =>
      [id, name].some((each) => settings.healthNotifiers.includes(each)),
    );
    return healthMonitor(
      this.#since,
      told.map(({ id }) => id),
    );
  }

  /** User-defined monitors, and the built-in health monitor. */
  async #monitors(): Promise<readonly StoredMonitor[]> {
    const { metadata } = this.#options;
    await metadata.upToDate();
    return [...(await metadata.monitors.list()), await this.#ownMonitor()];
  }

  async #dependencies({ intervalMinutes }: StoredMonitor) {
    const { settings, metadata, source } = this.#options;
    return {
      source,
      signal: this.#stopping.signal,
      timeout: Math.min(settings.monitorTimeout, intervalMinutes * 60_000),
      mostGroups: settings.monitorGroups,
      mostFailures: settings.monitorFailures,
      matchLimits: { perMinute: settings.matchesPerMinute, perDay: settings.matchesPerDay },
      notifiers: await metadata.notifiers.list(),
      silences: await metadata.silences.list(),
      maxAnnotations: settings.monitorAnnotations ? settings.monitorAnnotationGroups : 0,
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

/**
 * Maximum notifiers that send concurrently, more than any deployment has; each uses one connection
 * at a time.
 */
const notifiersAtOnce = 16;
