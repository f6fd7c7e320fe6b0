import { randomBytes } from 'node:crypto';
import type { Notifier } from '@millrace/api/schemas/notifier';
import { aboutOf, type StoredMonitor } from '@millrace/api/schemas/monitor';
import type { Silence } from '@millrace/api/schemas/silence';
import type { Annotation } from '@millrace/api/schemas/query-resources';
import { isOff } from '../monitor.js';
import { evaluate, type RunWindow, windowOf } from '../evaluate/evaluate.js';
import { match, type MatchLimits } from '../evaluate/match.js';
import type { EvaluationResult } from '../evaluate/evaluation.js';
import { compose, isLow, severityOf } from '../outbox/compose.js';
import { linkTo } from '../outbox/links.js';
import type { GroupNews } from '../outbox/receiver-state.js';
import type { RunNews } from '../outbox/receiver-store.js';
import { nameWithGroup, describeChange } from '../outbox/message-text.js';
import { type ActiveSilences, silencesOf } from '../silences/active-silences.js';
import { audibleChanges } from '../silences/audible-changes.js';
import type { Source } from '../source.js';
import type { Transition, RunOutcome, RunRecord, MonitorSnapshot } from '../state/records.js';
import { matchDetails, storedChange } from '../state/change-details.js';
import { failingGroup, opening, stepFailures } from '../state/failing.js';
import { type MonitorState, newState, monitorStatus } from '../state/state.js';
import { type Change, step } from '../state/transition.js';

/** One run of a monitor: queries, evaluates, and returns the outcome to store. Writes nothing. */

export interface RunDependencies {
  readonly source: Source;
  readonly signal: AbortSignal;
  /** Timeout of a query, milliseconds. */
  readonly timeout: number;
  readonly mostGroups: number;
  /** Failed runs in a row after which notifiers are told that the monitor cannot run. */
  readonly mostFailures: number;
  readonly matchLimits: MatchLimits;
  /** All notifiers. */
  readonly notifiers: readonly Notifier[];
  /** All silences. */
  readonly silences: readonly Silence[];
  /** Annotations that the monitor may have open; 0 if openings are not annotated. */
  readonly maxAnnotations: number;
  /** URL of the console, without a slash at the end. */
  readonly consoleUrl: string | undefined;
  /** Describes an error without internal details. */
  readonly explain: (error: unknown) => string;
  readonly annotation: (id: string) => Promise<Annotation | undefined>;
}

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
  const { verdict, datasets } = await evaluate(monitor, window, deps).catch((error: unknown) => {
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
  const {
    state: stepped,
    changes,
    open,
  } = step(before, monitor, verdict, time, {
    groups: deps.mostGroups,
    failures: deps.mostFailures,
  });
  // After a failed run the open groups are unknown: receivers follow from the next run.
  const silences = silencesOf(monitor, deps.silences, time);
  const { silenced: silencedBefore = [], ...unsilenced } = stepped;
  const wereSilenced = before.about === stepped.about ? silencedBefore : [];
  const audible = audibleChanges({ changes, open, before: wereSilenced }, silences.ofGroups);
  const state: MonitorState = {
    ...unsilenced,
    ...(open !== undefined && { followed: true }),
    ...(audible.silenced.length > 0 && { silenced: audible.silenced }),
  };
  const id = runId(monitor, state.runs);
  const receivers = isOff(monitor, time) ? [] : receiversOf(monitor, deps.notifiers, silences);
  const news = newsOf(monitor, { before, ...audible, receivers, silences, time, window });
  const told = compose(audible.changes, { monitor, window, time }).length;
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
      notified: told * receivers.filter((notifier) => !isSilent(notifier, time)).length,
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

interface Decided {
  readonly before: MonitorState;
  readonly changes: readonly Change[];
  readonly open: readonly Change[] | undefined;
  readonly receivers: readonly Notifier[];
  readonly silences: ActiveSilences;
  readonly time: number;
  readonly window: RunWindow;
}

/** What a run changes for receivers. */
function newsOf(monitor: StoredMonitor, decided: Decided): RunNews {
  const { before, changes, open, receivers, silences, time, window } = decided;
  const inMessage = (change: Change): GroupNews => ({
    group: change.group,
    keys: change.keys,
    labels: change.labels,
    action: change.action,
    again: change.again,
    news: {
      text: describeChange(change, monitor),
      value: change.value,
      severity: severityOf(monitor, change.why),
      time,
      ...window,
    },
  });
  return {
    about: {
      title: monitor.name,
      description: monitor.description ?? '',
      skipResolved: monitor.skipResolved,
      severity: severityOf(monitor),
      isLow: isLow(monitor),
    },
    notifierIds: receivers.map((notifier) => notifier.id),
    changes: changes.map(inMessage),
    open: open?.map(inMessage),
    over: { text: endingOf(silences), value: 0, severity: severityOf(monitor), time, ...window },
    toldBefore: before.followed !== true,
  };
}

/** Why a receiver gets no more news of a monitor. */
const endingOf = ({ whole }: ActiveSilences): string =>
  whole === undefined ? 'The monitor no longer notifies here' : `The monitor is silenced: ${whole.reason}`;

/** ID of a run: if a crash undoes a run, its repetition gets the same ID. */
const runId = ({ id }: StoredMonitor, runs: number): string => `${id}-${runs}`;

function valueOf(verdict: EvaluationResult): number | undefined {
  if (verdict.kind === 'error') return undefined;
  return (verdict.readings.find(({ violates }) => violates) ?? verdict.readings[0])?.value;
}

/** Notifiers of a monitor; none while all of it is silenced. */
const receiversOf = (
  { notifierIds }: StoredMonitor,
  notifiers: readonly Notifier[],
  { whole }: ActiveSilences,
): readonly Notifier[] => (whole === undefined ? notifiers.filter(({ id }) => notifierIds.includes(id)) : []);

const isSilent = ({ disabledUntil }: Notifier, time: number): boolean =>
  disabledUntil !== undefined && Date.parse(disabledUntil) > time;

interface Marking {
  readonly changes: readonly Change[];
  readonly state: RunOutcome['state'];
  readonly datasets: readonly string[];
  readonly time: number;
}

const longestDescription = 512;
const longestTitle = 256;

/** An annotation for each opening, which ends with the closing. */
async function annotate(
  monitor: StoredMonitor,
  { changes, state, datasets, time }: Marking,
  { annotation, consoleUrl, maxAnnotations }: RunDependencies,
): Promise<{ readonly annotations: readonly Annotation[]; readonly state: RunOutcome['state'] }> {
  const groups = { ...state.groups };
  const url = linkTo(monitor.id, consoleUrl);
  const annotations: Annotation[] = [];
  let capacity = maxAnnotations - Object.values(groups).filter(({ annotation: id }) => id !== undefined).length;
  for (const change of changes) {
    const group = groups[change.group];
    if (change.action === 'Open' && !change.again && group !== undefined && datasets.length > 0 && capacity > 0) {
      capacity--;
      const id = `ann_${randomBytes(12).toString('hex')}`;
      groups[change.group] = { ...group, annotation: id };
      annotations.push({
        id,
        datasets: [...datasets],
        type: 'alert',
        time: new Date(time).toISOString(),
        title: nameWithGroup(monitor.name, change).slice(0, longestTitle),
        description: describeChange(change, monitor).slice(0, longestDescription),
        ...(url !== undefined && { url }),
      });
    }
    if (change.action === 'Closed' && change.annotation !== undefined) {
      const present = await annotation(change.annotation);
      if (present !== undefined) annotations.push({ ...present, endTime: new Date(time).toISOString() });
    }
  }
  return { annotations, state: { ...state, groups } };
}

/** Matches single events. */
async function runMatch(
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
  const receivers = receiversOf(monitor, deps.notifiers, silences);
  const reached = receivers.filter((notifier) => !isSilent(notifier, time));
  const { error: _, failures: __, failingSince: ___, ...kept } = before;
  /** Failures in a row, and their news. */
  const countFailures = (problem: string | undefined) => {
    const failed = stepFailures(before, problem, time, deps.mostFailures);
    const changes = failed.change === undefined ? [] : [failed.change];
    const open = failed.state.failingSince === undefined ? [] : [opening(failed.state)];
    const news = newsOf(monitor, { before, changes, open, receivers, silences, time, window });
    return {
      news,
      state: { ...kept, ...failed.state, runs, followed: true as const },
      told: changes.length * reached.length,
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
    const { news, state, told } = countFailures(undefined);
    return {
      ...base,
      news,
      // Events that are silenced do not count for the limits of notifications.
      state: {
        ...state,
        match: silences.whole === undefined ? found.match : { ...found.match, ...sentBefore(before) },
      },
      run: {
        ...run,
        state: found.matched > 0 ? 'open' : 'ok',
        matched: found.matched,
        notified: decided.length + told,
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
    const { news, state, told } = countFailures(problem);
    return {
      ...base,
      news,
      state,
      run: { ...run, state: 'error', error: problem, notified: told },
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
