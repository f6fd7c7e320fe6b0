import { Yielder } from '@millrace/runtime/async/yield';
import { aboutOf, type StoredMonitor } from '@millrace/api/schemas/monitor';
import { isOff } from '../monitor.js';
import { evaluate, windowOf } from '../evaluate/evaluate.js';
import type { EvaluationResult } from '../evaluate/evaluation.js';
import { messageCount } from '../outbox/compose.js';
import { escalate } from '../routing/escalation.js';
import { silencesOf } from '../silences/active-silences.js';
import { audibleChanges } from '../silences/audible-changes.js';
import type { MonitorSnapshot, RunOutcome } from '../state/records.js';
import { conditionHash, type StoredChange, storedChange } from '../state/change-details.js';
import { failingGroup } from '../state/monitor-failure.js';
import { type MonitorState, newState } from '../state/state.js';
import { yieldForGroups } from '../yield-for-groups.js';
import type { RunDependencies } from './run-dependencies.js';
import { isSilent, quietnessOf, receiversOf, withEscalations } from './run-receivers.js';
import { newsOf } from './run-news.js';
import { minutesSinceRun } from './minutes-since-run.js';
import { missedRuns } from './missed-runs.js';
import { netChanges } from './net-changes.js';
import { runMatch } from './run-match.js';
import { type EvaluatedRun, type RunChange, stepRuns } from './step-runs.js';

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
  // Bins since the last run are new to an anomaly monitor, also if runs were missed.
  const read = { ...monitor, intervalMinutes: minutesSinceRun(monitor, stand, time, deps.disabledUntil) };
  const evaluated = [
    ...(await makeUp(monitor, missedRuns(monitor, stand, time, deps), deps)),
    await evaluatedAt(read, time, deps),
  ];
  return decide(monitor, { stand, evaluated }, deps);
}

async function evaluatedAt(monitor: StoredMonitor, time: number, deps: RunDependencies): Promise<EvaluatedRun> {
  const result = await evaluate(monitor, windowOf(monitor, time), deps).catch((error: unknown) => {
    if (deps.signal.aborted) throw error;
    return { verdict: { kind: 'error', problem: deps.explain(error) } satisfies EvaluationResult, datasets: [] };
  });
  return { time, ...result };
}

/** Evaluates missed runs in order, until one fails or they took too long. */
async function makeUp(
  monitor: StoredMonitor,
  times: readonly number[],
  deps: RunDependencies,
): Promise<readonly EvaluatedRun[]> {
  const evaluated: EvaluatedRun[] = [];
  for (const time of times) {
    if (deps.missedBudget.isSpent) break;
    const run = await deps.missedBudget.spend(() => evaluatedAt(monitor, time, deps));
    // A server that took no events at that time has not seen that they are missing.
    if (run.verdict.kind === 'read' && run.verdict.noData) continue;
    evaluated.push(run);
    if (run.verdict.kind === 'error') break;
  }
  return evaluated;
}

interface Evaluations {
  readonly stand: MonitorSnapshot | undefined;
  /** Missed runs, oldest first, and then the one that is due. */
  readonly evaluated: readonly EvaluatedRun[];
}

/**
 * Computes the state changes of evaluation results, and the notifications about what they changed
 * together.
 */
export async function decide(
  monitor: StoredMonitor,
  { stand, evaluated }: Evaluations,
  deps: RunDependencies,
): Promise<RunOutcome> {
  const maybeYield = yieldForGroups(Math.max(...evaluated.map(groupsIn)), new Yielder());
  await maybeYield?.();
  const before = stand?.state ?? newState(aboutOf(monitor));
  const {
    state: stepped,
    open,
    runs,
    changes,
    acknowledged,
    annotations,
  } = await stepRuns(monitor, before, evaluated, deps, maybeYield);
  await maybeYield?.();
  const { time } = evaluated.at(-1)!;
  const window = windowOf(monitor, time);
  // After a failed run the open groups are unknown: receivers follow from the next run.
  const silences = silencesOf(monitor, deps.silences, time);
  const quiet = quietnessOf(monitor, silences, deps);
  const { silenced: silencedBefore = [], ...unsilenced } = stepped;
  const wereSilenced = before.about === stepped.about ? silencedBefore : [];
  const audible = audibleChanges({ changes: netChanges(changes), open, before: wereSilenced }, silences.ofGroups);
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
  await maybeYield?.();
  const receivers = isOff(monitor, time) ? [] : receiversOf(monitor, deps, quiet);
  const news = withEscalations(
    { ...newsOf(monitor, { before, ...audible, receivers, quiet, time, window }), acknowledged },
    isOff(monitor, time) || quiet !== undefined ? new Map() : escalated.byNotifier,
    deps.notifiers,
  );
  const notified = messageCount(audible.changes, monitor);
  const run = runs.at(-1)!;
  // After the query, so that a link shows at least what the run saw.
  const position = changes.length > 0 ? await deps.source.position() : undefined;
  return {
    monitorId: monitor.id,
    ran: time,
    state,
    missed: runs.slice(0, -1),
    run: { ...run, notified: notified * receivers.filter((notifier) => !isSilent(notifier, time)).length },
    changes: await storedChanges(changes, monitor, position, maybeYield),
    decided: [],
    news,
    annotations,
  };
}

const groupsIn = ({ verdict }: EvaluatedRun): number => (verdict.kind === 'read' ? verdict.readings.length : 0);

/** The changes that the history keeps. */
async function storedChanges(
  changes: readonly RunChange[],
  monitor: StoredMonitor,
  position: bigint | undefined,
  maybeYield: (() => Promise<void>) | undefined,
): Promise<readonly StoredChange[]> {
  const about = conditionHash(monitor);
  const stored: StoredChange[] = [];
  for (const change of changes) {
    if (change.again || change.group === failingGroup) continue;
    await maybeYield?.();
    stored.push(storedChange(change, monitor, { ...change, position, about }));
  }
  return stored;
}
