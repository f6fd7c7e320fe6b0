import type { Monitor } from '@millrace/api/schemas/monitor';
import type { Label } from '../evaluate/result-table.js';

/** State of a monitor between two runs. */

/**
 * State of a group that is open, that met the condition in a recent run, or that is remembered in
 * case its data stops. Other groups have no state.
 */
export interface GroupState {
  readonly keys: readonly string[];
  readonly labels: readonly Label[];
  readonly status: 'ok' | 'open' | 'nodata';
  /** The last runs, newest last: `1` where it was found to violate. */
  readonly recent: string;
  /** When it opened, milliseconds since the epoch. */
  readonly since?: number;
  /**
   * The last run that found it violating, milliseconds since the epoch; kept if it keeps firing.
   */
  readonly violated?: number;
  /** The last run that found data, milliseconds since the epoch; kept if missing data fires. */
  readonly seen?: number;
  /**
   * The last notification, milliseconds since the epoch; kept if it is repeated. Nodes of earlier
   * versions read this name.
   */
  readonly told?: number;
  /** IDs of the notifiers that it was escalated to. */
  readonly escalated?: readonly string[];
  /** The last value that was found while it was open. */
  readonly value?: number;
  /** The annotation that marks how long it is open. */
  readonly annotation?: string;
}

/** Progress of a match monitor, and its recent notification count. */
export interface MatchState {
  /** Log position, in decimal digits: every batch up to it was matched, except those in `held`. */
  readonly upTo: string;
  /**
   * Positions of quarantined batches that were passed; the engine may accept them after a restart.
   */
  readonly held?: readonly string[];
  /**
   * When notifications were sent in the last day, milliseconds since the epoch; the most there may
   * be are few.
   */
  readonly sent: readonly number[];
  /** A notification about suppressed events was sent. */
  readonly suppressing: boolean;
}

export interface MonitorState {
  /** Identity of the condition that the state belongs to; the state is invalid for another one. */
  readonly about: string;
  /** Number of runs so far. */
  readonly runs: number;
  readonly groups: Readonly<Record<string, GroupState>>;
  readonly match?: MatchState;
  /**
   * Receivers have stored states. Unset in states from older versions, which sent each change
   * directly.
   */
  readonly followed?: true;
  /** Open groups that are silenced: receivers do not know them. */
  readonly silenced?: readonly string[];
  /** Why the last run failed. */
  readonly error?: string;
  /** Failed runs in a row, the last one included. */
  readonly failures?: number;
  /** When it began to be failing, milliseconds since the epoch. */
  readonly failingSince?: number;
}

export const newState = (about: string): MonitorState => ({ about, runs: 0, groups: {}, followed: true });

/** Whether a monitor fires, also for missing data. */
export function isOpenMonitor(stand: { readonly state: MonitorState } | undefined): boolean {
  return Object.values(stand?.state.groups ?? {}).some(({ status }) => status !== 'ok');
}

/** Summarizes a state. */
export function monitorStatus(state: MonitorState | undefined): 'ok' | 'open' | 'nodata' | 'error' {
  if (state === undefined) return 'ok';
  const statuses = Object.values(state.groups).map(({ status }) => status);
  if (statuses.includes('open')) return 'open';
  if (statuses.includes('nodata')) return 'nodata';
  return state.error === undefined ? 'ok' : 'error';
}

/** N of M: how many of how many last runs open. */
export function countNeeded({
  triggerFromNRuns: of,
  triggerAfterNPositiveResults: positive,
}: Pick<Monitor, 'triggerFromNRuns' | 'triggerAfterNPositiveResults'>): {
  readonly positive: number;
  readonly of: number;
} {
  return { positive: positive || of || 1, of: of || 1 };
}
