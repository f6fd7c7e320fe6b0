import { randomUUID } from 'node:crypto';
import { runEvery } from '@millrace/runtime/async/run-every';
import { HttpError } from '@millrace/api/errors';
import type { StoredMonitor } from '@millrace/api/schemas/monitor';
import { runHealth } from './health.js';
import { deliver } from './outbox/deliver.js';
import { testNotification, withoutKey } from './outbox/test-notification.js';
import type { Notifier, NotifierPreview, NotifierTest, WriteNotifier } from '@millrace/api/schemas/notifier';
import { previewNotifier } from './outbox/preview-notifier.js';
import { Outbox } from './outbox/outbox.js';
import { forgetAcknowledgments } from './routing/forget-acknowledgments.js';
import { storedRoutes } from './routing/route-table.js';
import { MessageResponses } from './respond/message-responses.js';
import { respondLinks } from './respond/respond-link.js';
import { MissedRunBudget } from './schedule/missed-runs.js';
import { runMonitor } from './schedule/run.js';
import { skipMatches } from './schedule/run-match.js';
import { SloBudgets } from './slo/slo-budgets.js';
import { Slos } from './slo/slos.js';
import { forgetSilences } from './silences/forget-silences.js';
import { Scheduler } from './schedule/scheduler.js';
import { isOpenMonitor } from './state/state.js';
import { Commits } from './state/commits.js';
import { forgetOlder, healthMonitorId, type MonitorSnapshot, loadSnapshots, writeOutcomes } from './state/records.js';
import type { AlertsOptions } from './alerts-options.js';
import { MonitorDrafts } from './monitor-drafts.js';
import { MonitorStates } from './monitor-states.js';

/** Runs monitors and the outbox on timers. */

const tickMilliseconds = 1000;
const forgetMilliseconds = 10 * 60_000;
const commitMilliseconds = 100;

export class Alerts {
  readonly #options: AlertsOptions;
  readonly #stands: Map<string, MonitorSnapshot>;
  readonly #scheduler: Scheduler;
  readonly #outbox: Outbox;
  readonly drafts: MonitorDrafts;
  readonly states: MonitorStates;
  readonly slos: Slos;
  readonly sloBudgets: SloBudgets;
  readonly responses: MessageResponses;
  readonly #stopController = new AbortController();
  #timers: readonly (() => Promise<void>)[] = [];
  #wasLeader: boolean;
  /** When this process began to run monitors, milliseconds since the epoch. */
  #since: number;
  readonly #missedBudget: MissedRunBudget;
  /** When monitors were last seen to be disabled, by ID. */
  readonly #disabledUntil = new Map<string, number>();

  private constructor(options: AlertsOptions, stands: Map<string, MonitorSnapshot>) {
    this.#options = options;
    this.#stands = stands;
    this.#wasLeader = this.#isLeaderNow();
    this.#since = options.clock();
    this.#missedBudget = new MissedRunBudget(options.settings.monitorMissedTime);
    const { metadata, settings, clock, metrics, logger, source, sender, commitEvery = commitMilliseconds } = options;
    const { signal } = this.#stopController;
    this.drafts = new MonitorDrafts({ ...options, signal, explain: (error) => this.#explain(error) });
    this.slos = new Slos({ ...options, drafts: this.drafts });
    this.sloBudgets = new SloBudgets({ ...options, signal });
    this.states = new MonitorStates({
      ...options,
      stands: () => this.#standsNow(),
      since: new Date(clock()).toISOString(),
    });
    this.responses = new MessageResponses({ metadata, clock, states: this.states });
    const kept = {
      runs: settings.monitorRuns,
      changes: settings.monitorChanges,
      waiting: settings.notifyWaiting,
      shared: settings.nodes === 'shared',
    };
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
      respondLink: respondLinks(metadata, settings, clock),
      limits: {
        perMinute: settings.notifyPerMinute,
        retries: settings.notifyRetries,
        closingRetries: settings.notifyClosingRetries,
        maxAlone: settings.notifyGroups,
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
    const reportFailure = (what: string) => (error: unknown) => logger.error({ err: error }, what);
    this.#timers = [
      runEvery(tickMilliseconds, () => this.tick(), reportFailure('monitor scheduling failed')),
      runEvery(
        forgetMilliseconds,
        async () => {
          if (!this.#isLeaderNow()) return;
          await forgetOlder(clock() - settings.monitorHistory, settings.monitorNotifications, metadata.database);
          await forgetSilences(clock() - settings.monitorHistory, metadata);
          await forgetAcknowledgments(clock() - settings.monitorHistory, metadata);
        },
        reportFailure('the old history of monitors could not be removed'),
      ),
    ];
  }

  #isLeaderNow(): boolean {
    return this.#options.node?.isLeader() ?? true;
  }

  /**
   * Whether this process runs them. If it did not before, another one has, and monitors stand where
   * that one left them.
   */
  async #takesTurn(): Promise<boolean> {
    const isLeader = this.#isLeaderNow();
    if (isLeader && !this.#wasLeader) {
      const stands = await loadSnapshots(this.#options.metadata.database);
      this.#stands.clear();
      for (const [id, stand] of stands) this.#stands.set(id, stand);
      this.#since = this.#options.clock();
    }
    this.#wasLeader = isLeader;
    return isLeader;
  }

  /** Current states of all monitors, on the leader and on other nodes. */
  async #standsNow(): Promise<ReadonlyMap<string, MonitorSnapshot>> {
    return this.#wasLeader ? this.#stands : loadSnapshots(this.#options.metadata.database);
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
    this.#stopController.abort();
    await Promise.all(this.#timers.map((stop) => stop()));
    await this.#scheduler.stop();
    await this.#outbox.idle();
  }

  /** Sends a notification to see whether it arrives. */
  async test(notifier: Notifier): Promise<NotifierTest> {
    const { clock, settings, sender } = this.#options;
    const now = new Date(clock()).toISOString();
    const began = performance.now();
    const { attempt, request, answer } = await deliver(`test-${randomUUID()}`, testNotification(now), notifier, {
      sender,
      signal: this.#stopController.signal,
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

  /** User-defined monitors, and the built-in health monitor. */
  async #monitors(): Promise<readonly StoredMonitor[]> {
    const { metadata } = this.#options;
    await metadata.upToDate();
    const monitors = await metadata.monitors.list();
    this.#noteDisabled(monitors);
    return [...monitors, await this.states.ownMonitor()];
  }

  #noteDisabled(monitors: readonly StoredMonitor[]): void {
    const now = this.#options.clock();
    for (const { id, disabled } of monitors) if (disabled) this.#disabledUntil.set(id, now);
    if (this.#disabledUntil.size <= 2 * monitors.length + 100) return;
    const ids = new Set(monitors.map(({ id }) => id));
    for (const id of this.#disabledUntil.keys()) if (!ids.has(id)) this.#disabledUntil.delete(id);
  }

  async #dependencies({ id, intervalMinutes }: StoredMonitor) {
    const { settings, metadata, source } = this.#options;
    return {
      source,
      signal: this.#stopController.signal,
      timeout: Math.min(settings.monitorTimeout, intervalMinutes * 60_000),
      maxGroups: settings.monitorGroups,
      maxFailures: settings.monitorFailures,
      groupMemory: settings.monitorGroupMemory,
      maxMissed: settings.monitorMissedRuns,
      missedBudget: this.#missedBudget,
      since: this.#since,
      disabledUntil: this.#disabledUntil.get(id) ?? 0,
      matchLimits: { perMinute: settings.matchesPerMinute, perDay: settings.matchesPerDay },
      notifiers: await metadata.notifiers.list(),
      routes: await storedRoutes(metadata),
      acknowledgments: await metadata.acknowledgments.list(),
      isOpen: (other: string) => isOpenMonitor(this.#stands.get(other)),
      silences: await metadata.silences.list(),
      maxAnnotations: settings.monitorAnnotations ? settings.monitorAnnotationGroups : 0,
      consoleUrl: settings.consoleUrl,
      explain: (error: unknown) => this.#explain(error),
      annotation: (wanted: string) => metadata.annotations.find('id', wanted),
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
