import type { MonitorState } from './state.js';
import type { Change } from './transition.js';

/**
 * Failed runs in a row. After a number of them the monitor is failing: it notifies that it
 * cannot run, and again when a run succeeds.
 */

/** Key of the incident of a monitor that cannot run. No group has it: those are empty or JSON. */
export const failingGroup = 'failing';

/** The incident in messages. */
const failingLabels = { keys: ['monitor'], labels: ['failing'] } as const;

type Failures = Pick<MonitorState, 'failures' | 'failingSince' | 'error'>;

interface FailureStep {
  readonly state: Failures;
  readonly change?: Change;
}

/**
 * @param problem why the run failed; undefined if it succeeded
 * @param limit failed runs in a row after which the monitor is failing
 */
export function stepFailures(before: Failures, problem: string | undefined, now: number, limit: number): FailureStep {
  const since = before.failingSince;
  if (problem === undefined) return { state: {}, ...(since !== undefined && { change: closeChange('running') }) };
  const failures = (before.failures ?? 0) + 1;
  if (since !== undefined) return { state: { failures, failingSince: since, error: problem } };
  if (failures < limit) return { state: { failures, error: problem } };
  const state = { failures, failingSince: now, error: problem };
  return { state, change: { ...opening(state), again: false } };
}

/** A failing monitor as a change, for receivers that have not been notified of it. */
export const opening = ({ failures = 0, error = '' }: Failures): Change => ({
  group: failingGroup,
  ...failingLabels,
  action: 'Open',
  why: 'failing',
  again: true,
  value: failures,
  failure: { runs: failures, problem: error },
});

export const closeChange = (why: 'running' | 'edited'): Change => ({
  group: failingGroup,
  ...failingLabels,
  action: 'Closed',
  why,
  again: false,
  value: 0,
});
