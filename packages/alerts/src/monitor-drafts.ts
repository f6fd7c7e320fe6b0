import type { Principal } from '@millrace/http/access/authorize';
import { httpError } from '@millrace/api/errors';
import type { Reads } from '@millrace/api/schemas/monitor';
import type { MonitorPreview } from '@millrace/api/schemas/monitor-preview';
import type { AlertsOptions } from './alerts-options.js';
import { backTest } from './back-test/back-test.js';
import { backTestMatches } from './back-test/back-test-matches.js';
import { readsOf } from './check-query.js';
import { isOff, type MonitorDraft } from './monitor.js';
import { checkInhibition } from './routing/inhibition.js';
import { shownBackTest } from './state/status.js';

/** Checks monitors before they are stored, and back-tests them. */

interface DraftOptions extends Pick<AlertsOptions, 'metadata' | 'settings' | 'clock' | 'source' | 'checkQuery'> {
  readonly signal: AbortSignal;
  /** Describes an error without internal details. */
  readonly explain: (error: unknown) => string;
}

/** Milliseconds since the epoch. */
interface PreviewRange {
  /** Time of the first run. */
  readonly from: number;
  /** Time of the last run. */
  readonly to: number;
  /** Events count as arrived at their time. */
  readonly ignoreArrival?: boolean;
}

const dayMilliseconds = 86_400_000;

export class MonitorDrafts {
  readonly #options: DraftOptions;

  constructor(options: DraftOptions) {
    this.#options = options;
  }

  /**
   * Checks a monitor before it is stored; returns the read permissions of its runs and the log
   * position where they start.
   * @param id of the monitor, if it exists
   * @throws HttpError `invalid-query`, `invalid-request`, `forbidden`
   */
  async check(
    draft: MonitorDraft,
    principal: Principal,
    id?: string,
  ): Promise<{ readonly reads: Reads; readonly from: string }> {
    const { metadata, checkQuery, source } = this.#options;
    const known = new Set((await metadata.notifiers.list()).map(({ id }) => id));
    const unknown = draft.notifierIds.find((id) => !known.has(id));
    if (unknown !== undefined)
      throw httpError('invalid-request', {
        problem: `body 'notifierIds' names '${unknown}', which is no notifier; list notifiers with GET /v2/notifiers`,
      });
    checkInhibition(draft, await metadata.monitors.list(), id);
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
        signal: this.#options.signal,
        timeout: settings.monitorTimeout,
        start: end - dayMilliseconds,
        end,
      })
      // Whether the query works is shown by its runs.
      .catch(() => undefined);
    const count = counted?.columns[0]?.values[0];
    if (typeof count === 'number' && count > settings.matchesPerDay)
      throw httpError('invalid-request', {
        problem: `body 'aplQuery' matched ${count} events in the last day, and a monitor notifies of at most ${settings.matchesPerDay}; narrow it, or compare a count with a Threshold monitor`,
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
    { from, to, ignoreArrival = false }: PreviewRange,
    principal: Principal,
    signal: AbortSignal,
  ): Promise<MonitorPreview> {
    if (draft.type === 'MatchEvent' && !ignoreArrival)
      throw httpError('invalid-request', {
        problem:
          "body 'monitor.type' MatchEvent has a preview only with 'ignoreArrival'; or run its query to see which events match",
      });
    if (draft.language === 'mpl' && !ignoreArrival)
      throw httpError('invalid-request', {
        problem:
          "body 'monitor.mplQuery' has a preview only with 'ignoreArrival': points of metrics do not record when they arrived",
      });
    if (from > to) throw httpError('invalid-request', { problem: "body 'startTime' must not be after 'endTime'" });
    const checked = await this.check(draft, principal);
    const { settings, source } = this.#options;
    const at = new Date(from).toISOString();
    const monitor = { ...draft, ...checked, id: 'preview', createdAt: at, updatedAt: at, createdBy: '' };
    const range = { from, to: Math.min(to, this.#options.clock()) };
    const how = {
      source,
      signal: AbortSignal.any([signal, this.#options.signal]),
      timeout: settings.monitorTimeout,
      deadline: performance.now() + settings.queryTimeout,
      maxRuns: settings.previewRuns,
      explain: this.#options.explain,
    };
    if (draft.type === 'MatchEvent') {
      const limits = { perMinute: settings.matchesPerMinute, perDay: settings.matchesPerDay };
      return shownBackTest(await backTestMatches(monitor, range, { ...how, limits }));
    }
    const groups = { maxGroups: settings.monitorGroups, groupMemory: settings.monitorGroupMemory };
    return shownBackTest(await backTest(monitor, range, { ...how, ...groups, ignoreArrival }));
  }
}
