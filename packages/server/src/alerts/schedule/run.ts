import { randomBytes } from 'node:crypto';
import type { Notifier } from '../../schemas/notifier.js';
import type { StoredMonitor } from '../../schemas/monitor.js';
import type { Annotation } from '../../schemas/query-resources.js';
import { channelOf } from '../notifier.js';
import { isPerGroup } from '../channels/channels.js';
import { evaluate, type RunWindow, windowOf } from '../evaluate/evaluate.js';
import { match, type MatchLimits } from '../evaluate/match.js';
import type { Verdict } from '../evaluate/reading.js';
import { compose, digest } from '../outbox/compose.js';
import { linkTo } from '../outbox/links.js';
import { nameWithGroup, sentenceOf } from '../outbox/wording.js';
import type { Source } from '../source.js';
import type { Decided, Outcome, RunRecord, Stand } from '../state/records.js';
import { aboutOf, newState, standingOf } from '../state/state.js';
import { type Change, step } from '../state/step.js';

/**
 * One run of one monitor: asks, decides, and says what is to be written. It writes nothing itself.
 */

export interface RunDependencies {
  readonly source: Source;
  readonly signal: AbortSignal;
  /** How long a query may take, milliseconds. */
  readonly timeout: number;
  readonly mostGroups: number;
  readonly matchLimits: MatchLimits;
  /** All notifiers. */
  readonly notifiers: readonly Notifier[];
  /** Whether openings become annotations. */
  readonly annotates: boolean;
  /** Where the pages for people are, without a slash at the end. */
  readonly consoleUrl: string | undefined;
  /** What a client may know of an error. */
  readonly explain: (error: unknown) => string;
  readonly annotation: (id: string) => Promise<Annotation | undefined>;
}

/** @param time for which the run is made, milliseconds since the epoch */
export async function runMonitor(
  monitor: StoredMonitor,
  stand: Stand | undefined,
  time: number,
  deps: RunDependencies,
): Promise<Outcome> {
  const began = performance.now();
  const made =
    monitor.type === 'MatchEvent' && monitor.language === 'apl'
      ? await runMatch(monitor, stand, time, deps)
      : await runValues(monitor, stand, time, deps);
  const milliseconds = Math.round(performance.now() - began);
  return { ...made, run: { ...made.run, milliseconds } };
}

/** Values are compared, and what they mean is decided by where the monitor stood. */
async function runValues(
  monitor: StoredMonitor,
  stand: Stand | undefined,
  time: number,
  deps: RunDependencies,
): Promise<Outcome> {
  const window = windowOf(monitor, time);
  const { verdict, datasets } = await evaluate(monitor, window, deps).catch((error: unknown) => {
    if (deps.signal.aborted) throw error;
    return { verdict: { kind: 'error', problem: deps.explain(error) } satisfies Verdict, datasets: [] };
  });
  return decide(monitor, { stand, time, window, verdict, datasets }, deps);
}

interface Evaluated {
  readonly stand: Stand | undefined;
  readonly time: number;
  readonly window: RunWindow;
  readonly verdict: Verdict;
  readonly datasets: readonly string[];
}

/** What a verdict changes, and what is told of it. */
export async function decide(
  monitor: StoredMonitor,
  { stand, time, window, verdict, datasets }: Evaluated,
  deps: RunDependencies,
): Promise<Outcome> {
  const before = stand?.state ?? newState(aboutOf(monitor));
  const { state, changes } = step(before, monitor, verdict, time, deps.mostGroups);
  const id = runId(monitor, state.runs);
  const decided = receiversOf(monitor, time, deps.notifiers).flatMap((notifier) =>
    compose(changes, { monitor, window, time }, isPerGroup(channelOf(notifier.properties).name)).map(
      (notification): Decided => ({
        id: `${id}-${digest(`${notification.action} ${notification.incident}`).slice(0, 8)}-${notifier.id}`,
        notifierId: notifier.id,
        notification,
      }),
    ),
  );
  const marked = deps.annotates ? await annotate(monitor, { changes, state, datasets, time }, deps) : undefined;
  const value = valueOf(verdict);
  return {
    monitorId: monitor.id,
    ran: time,
    state: marked?.state ?? state,
    run: {
      id,
      time,
      ...window,
      state: verdict.kind === 'error' ? 'error' : standingOf(state),
      ...(value !== undefined && { value }),
      ...(verdict.kind === 'error' && { error: verdict.problem }),
      notified: decided.length,
      milliseconds: 0,
    },
    changes: changes
      .filter(({ again }) => !again)
      .map((change) => ({
        checkId: id,
        name: nameWithGroup(monitor.name, change),
        state: change.action === 'Open' ? 'open' : 'closed',
        timestamp: new Date(time).toISOString(),
      })),
    decided,
    annotations: marked?.annotations ?? [],
  };
}

/**
 * The number of a run names it: if a crash undoes the run, the one that takes its place has the
 * same.
 */
const runId = ({ id }: StoredMonitor, runs: number): string => `${id}-${runs}`;

function valueOf(verdict: Verdict): number | undefined {
  if (verdict.kind === 'error') return undefined;
  return (verdict.readings.find(({ violates }) => violates) ?? verdict.readings[0])?.value;
}

/** Those that are not silent at the moment. What they would have got is dropped. */
const receiversOf = (
  { notifierIds }: StoredMonitor,
  time: number,
  notifiers: readonly Notifier[],
): readonly Notifier[] =>
  notifiers.filter(
    ({ id, disabledUntil }) =>
      notifierIds.includes(id) && (disabledUntil === undefined || Date.parse(disabledUntil) <= time),
  );

interface Marking {
  readonly changes: readonly Change[];
  readonly state: Outcome['state'];
  readonly datasets: readonly string[];
  readonly time: number;
}

const longestDescription = 512;
const longestTitle = 256;

/** An annotation for each opening, which ends with the closing. */
async function annotate(
  monitor: StoredMonitor,
  { changes, state, datasets, time }: Marking,
  { annotation, consoleUrl }: RunDependencies,
): Promise<{ readonly annotations: readonly Annotation[]; readonly state: Outcome['state'] }> {
  const groups = { ...state.groups };
  const url = linkTo(monitor.id, consoleUrl);
  const annotations: Annotation[] = [];
  for (const change of changes) {
    const group = groups[change.group];
    if (change.action === 'Open' && !change.again && group !== undefined && datasets.length > 0) {
      const id = `ann_${randomBytes(12).toString('hex')}`;
      groups[change.group] = { ...group, annotation: id };
      annotations.push({
        id,
        datasets: [...datasets],
        type: 'alert',
        time: new Date(time).toISOString(),
        title: nameWithGroup(monitor.name, change).slice(0, longestTitle),
        description: sentenceOf(change, monitor).slice(0, longestDescription),
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

/** Events are matched, each by itself. */
async function runMatch(
  monitor: StoredMonitor,
  stand: Stand | undefined,
  time: number,
  deps: RunDependencies,
): Promise<Outcome> {
  const about = aboutOf(monitor);
  const before = stand?.state.about === about ? stand.state : { ...newState(about), runs: stand?.state.runs ?? 0 };
  const runs = before.runs + 1;
  const id = runId(monitor, runs);
  const window = windowOf(monitor, time);
  const run: RunRecord = { id, time, ...window, state: 'ok', notified: 0, milliseconds: 0 };
  const base = { monitorId: monitor.id, ran: time, changes: [], decided: [], annotations: [] };
  try {
    const upTo = await deps.source.position(time);
    const { source, signal, timeout, matchLimits: limits } = deps;
    const found = await match(monitor, before.match, { source, signal, timeout, limits, time, upTo });
    const decided = receiversOf(monitor, time, deps.notifiers).flatMap((notifier) =>
      found.notifications.map(({ key, notification }): Decided => ({
        id: `${key}-${notifier.id}`,
        notifierId: notifier.id,
        notification,
      })),
    );
    const { error: _, ...kept } = before;
    return {
      ...base,
      state: { ...kept, runs, match: found.match },
      run: { ...run, state: found.matched > 0 ? 'open' : 'ok', matched: found.matched, notified: decided.length },
      changes:
        found.matched === 0
          ? []
          : [{ checkId: id, name: monitor.name, state: 'open', timestamp: new Date(time).toISOString() }],
      decided,
    };
  } catch (error) {
    if (deps.signal.aborted) throw error;
    const problem = deps.explain(error);
    return { ...base, state: { ...before, runs, error: problem }, run: { ...run, state: 'error', error: problem } };
  }
}

/**
 * A monitor of matching events that is off goes on from here: what comes while it is off is told to
 * nobody.
 */
export async function skipMatches(
  monitor: StoredMonitor,
  stand: Stand | undefined,
  time: number,
  source: Pick<Source, 'position'>,
): Promise<Outcome> {
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
