import { aboutOf, type StoredMonitor } from '@millrace/api/schemas/monitor';
import { isOff } from '../monitor.js';
import { evaluate, type RunWindow, windowOf } from '../evaluate/evaluate.js';
import type { EvaluationResult } from '../evaluate/evaluation.js';
import { compose } from '../outbox/compose.js';
import { acknowledgedGroups } from '../routing/acknowledged-groups.js';
import { escalate } from '../routing/escalation.js';
import { silencesOf } from '../silences/active-silences.js';
import { audibleChanges } from '../silences/audible-changes.js';
import type { MonitorSnapshot, RunOutcome } from '../state/records.js';
import { storedChange } from '../state/change-details.js';
import { failingGroup } from '../state/failing.js';
import { type MonitorState, monitorStatus, newState } from '../state/state.js';
import { step } from '../state/transition.js';
import { type RunDependencies, runId } from './run-dependencies.js';
import { isSilent, quietnessOf, receiversOf, withEscalations } from './run-receivers.js';
import { newsOf } from './run-news.js';
import { annotate } from './annotate.js';
import { minutesSinceRun } from './minutes-since-run.js';
import { runMatch } from './run-match.js';

/** One run of a monitor: queries, evaluates, and returns the outcome to store. Writes nothing. */

/** @param time scheduled time of the run, milliseconds since the epoch */
export async function runMonitor(
  monitor: StoredMonitor,
  stand: MonitorSnapshot | undefined,
  time: number,
  deps: RunDependencies,
): Promise<RunOutcome> {
  const began = performance.now();
  const made =
    monitor.type === 'MatchEvent' && monitor.language === 'apl'
      ? await runMatch(monitor, stand, time, deps)
      : await runValues(monitor, stand, time, deps);
  const milliseconds = Math.round(performance.now() - began);
  return { ...made, run: { ...made.run, milliseconds } };
}

/** Compares values, and derives the state changes from the previous state. */
async function runValues(
  monitor: StoredMonitor,
  stand: MonitorSnapshot | undefined,
  time: number,
  deps: RunDependencies,
): Promise<RunOutcome> {
  const window = windowOf(monitor, time);
  // Bins since the last run are new to an anomaly monitor, also if runs were missed.
  const read = { ...monitor, intervalMinutes: minutesSinceRun(monitor, stand, time) };
  const { verdict, datasets } = await evaluate(read, window, deps).catch((error: unknown) => {
    if (deps.signal.aborted) throw error;
    return { verdict: { kind: 'error', problem: deps.explain(error) } satisfies EvaluationResult, datasets: [] };
  });
  return decide(monitor, { stand, time, window, verdict, datasets }, deps);
}

interface Evaluated {
  readonly stand: MonitorSnapshot | undefined;
  readonly time: number;
  readonly window: RunWindow;
  readonly verdict: EvaluationResult;
  readonly datasets: readonly string[];
}

/** Computes the state changes of an evaluation result, and their notifications. */
export async function decide(
  monitor: StoredMonitor,
  { stand, time, window, verdict, datasets }: Evaluated,
  deps: RunDependencies,
): Promise<RunOutcome> {
  const before = stand?.state ?? newState(aboutOf(monitor));
  const acknowledged = acknowledgedGroups(monitor.id, before, deps.acknowledgments);
  const {
    state: stepped,
    changes,
    open,
  } = step(before, monitor, verdict, time, {
    groups: deps.maxGroups,
    failures: deps.maxFailures,
    memory: (monitor.groupMemoryMinutes ?? 0) * 60_000 || deps.groupMemory,
    acknowledged: new Set(acknowledged.keys()),
  });
  // After a failed run the open groups are unknown: receivers follow from the next run.
  const silences = silencesOf(monitor, deps.silences, time);
  const quiet = quietnessOf(monitor, silences, deps);
  const { silenced: silencedBefore = [], ...unsilenced } = stepped;
  const wereSilenced = before.about === stepped.about ? silencedBefore : [];
  const audible = audibleChanges({ changes, open, before: wereSilenced }, silences.ofGroups);
  const escalated = escalate(monitor, unsilenced.groups, deps.routes, {
    now: time,
    acknowledged: (group) => acknowledged.has(group),
  });
  const state: MonitorState = {
    ...unsilenced,
    groups: escalated.groups,
    ...(open !== undefined && { followed: true }),
    ...(audible.silenced.length > 0 && { silenced: audible.silenced }),
  };
  const id = runId(monitor, state.runs);
  const receivers = isOff(monitor, time) ? [] : receiversOf(monitor, deps, quiet);
  const news = withEscalations(
    {
      ...newsOf(monitor, { before, ...audible, receivers, quiet, time, window }),
      acknowledged: new Set(acknowledged.keys()),
    },
    isOff(monitor, time) || quiet !== undefined ? new Map() : escalated.byNotifier,
    deps.notifiers,
  );
  const notified = compose(audible.changes, { monitor, window, time }).length;
  const marked =
    deps.maxAnnotations > 0 ? await annotate(monitor, { changes, state, datasets, time }, deps) : undefined;
  const value = valueOf(verdict);
  // After the query, so that a link shows at least what the run saw.
  const position = changes.length > 0 ? await deps.source.position() : undefined;
  return {
    monitorId: monitor.id,
    ran: time,
    state: marked?.state ?? state,
    run: {
      id,
      time,
      ...window,
      state: verdict.kind === 'error' ? 'error' : monitorStatus(state),
      ...(value !== undefined && { value }),
      ...(verdict.kind === 'error' && { error: verdict.problem }),
      notified: notified * receivers.filter((notifier) => !isSilent(notifier, time)).length,
      milliseconds: 0,
    },
    changes: changes
      .filter(({ again, group }) => !again && group !== failingGroup)
      .map((change) => storedChange(change, monitor, { checkId: id, time, window, position })),
    decided: [],
    news,
    annotations: marked?.annotations ?? [],
  };
}

function valueOf(verdict: EvaluationResult): number | undefined {
  if (verdict.kind === 'error') return undefined;
  return (verdict.readings.find(({ violates }) => violates) ?? verdict.readings[0])?.value;
}
