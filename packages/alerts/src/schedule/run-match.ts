import { matchDetails } from '../state/change-details.js';
import { aboutOf, type StoredMonitor } from '@millrace/api/schemas/monitor';
import { windowOf } from '../evaluate/evaluate.js';
import { match } from '../evaluate/match.js';
import { silencesOf } from '../silences/active-silences.js';
import type { Source } from '../source.js';
import type { MonitorSnapshot, RunOutcome, RunRecord, Transition } from '../state/records.js';
import { opening, stepFailures } from '../state/monitor-failure.js';
import { type MonitorState, newState } from '../state/state.js';
import { type RunDependencies, runId } from './run-dependencies.js';
import { isSilent, quietnessOf, receiversOf } from './run-receivers.js';
import { newsOf } from './run-news.js';

/** Runs of monitors that match single events. */

/** Matches single events. */
export async function runMatch(
  monitor: StoredMonitor,
  stand: MonitorSnapshot | undefined,
  time: number,
  deps: RunDependencies,
): Promise<RunOutcome> {
  const about = aboutOf(monitor);
  const before = stand?.state.about === about ? stand.state : { ...newState(about), runs: stand?.state.runs ?? 0 };
  const runs = before.runs + 1;
  const id = runId(monitor, runs);
  const window = windowOf(monitor, time);
  const run: RunRecord = { id, time, ...window, state: 'ok', notified: 0, milliseconds: 0 };
  const { source, signal, timeout, matchLimits: limits } = deps;
  // Events that match while a notifier is silent are not sent to it.
  const silences = silencesOf(monitor, deps.silences, time);
  const quiet = quietnessOf(monitor, silences, deps);
  const receivers = receiversOf(monitor, deps, quiet);
  const reached = receivers.filter((notifier) => !isSilent(notifier, time));
  const { error: _, failures: __, failingSince: ___, ...kept } = before;
  /** Failures in a row, and their news. */
  const countFailures = (problem: string | undefined) => {
    const failed = stepFailures(before, problem, time, deps.maxFailures);
    const changes = failed.change === undefined ? [] : [failed.change];
    const open = failed.state.failingSince === undefined ? [] : [opening(failed.state)];
    const news = newsOf(monitor, { before, changes, open, receivers, quiet, time, window });
    return {
      news,
      state: { ...kept, ...failed.state, runs, followed: true as const },
      notified: changes.length * reached.length,
    };
  };
  const base = { monitorId: monitor.id, ran: time, annotations: [] };
  try {
    const upTo = await source.position(time);
    const found = await match(monitor, before.match, { source, signal, timeout, limits, time, upTo });
    const decided = reached.flatMap((notifier) =>
      found.notifications.map(({ key, notification }): Transition => ({
        id: `${key}-${notifier.id}`,
        notifierId: notifier.id,
        notification,
      })),
    );
    const { news, state, notified } = countFailures(undefined);
    return {
      ...base,
      news,
      // Events that are silenced do not count for the limits of notifications.
      state: {
        ...state,
        match: quiet === undefined ? found.match : { ...found.match, ...sentBefore(before) },
      },
      run: {
        ...run,
        state: found.matched > 0 ? 'open' : 'ok',
        matched: found.matched,
        notified: decided.length + notified,
      },
      changes:
        found.matched === 0
          ? []
          : [
              {
                checkId: id,
                name: monitor.name,
                state: 'open',
                timestamp: new Date(time).toISOString(),
                details: matchDetails(monitor, { matched: found.matched, window, position: upTo }),
              },
            ],
      decided,
    };
  } catch (error) {
    if (deps.signal.aborted) throw error;
    const problem = deps.explain(error);
    const { news, state, notified } = countFailures(problem);
    return {
      ...base,
      news,
      state,
      run: { ...run, state: 'error', error: problem, notified },
      changes: [],
      decided: [],
    };
  }
}

const sentBefore = ({ match: before }: MonitorState) => ({
  sent: before?.sent ?? [],
  suppressing: before?.suppressing ?? false,
});

/**
 * Advances a match monitor that is off, so that it never notifies of events that arrive while it is
 * off.
 */
export async function skipMatches(
  monitor: StoredMonitor,
  stand: MonitorSnapshot | undefined,
  time: number,
  source: Pick<Source, 'position'>,
): Promise<RunOutcome> {
  const about = aboutOf(monitor);
  const before = stand?.state.about === about ? stand.state : newState(about);
  const runs = (stand?.state.runs ?? 0) + 1;
  return {
    monitorId: monitor.id,
    ran: time,
    state: {
      ...before,
      runs,
      match: {
        ...before.match,
        upTo: String(await source.position()),
        sent: before.match?.sent ?? [],
        suppressing: false,
      },
    },
    run: { id: runId(monitor, runs), time, ...windowOf(monitor, time), state: 'ok', notified: 0, milliseconds: 0 },
    changes: [],
    decided: [],
    annotations: [],
  };
}
