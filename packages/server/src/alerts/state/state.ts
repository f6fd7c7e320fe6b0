import type { Monitor, StoredMonitor } from '../../schemas/monitor.js';
import type { Label } from '../evaluate/result-table.js';

/** Where a monitor stands between two runs. */

/**
 * A group that is open, or for which one of the last runs counted. Of all others there is nothing
 * to know.
 */
export interface GroupState {
  readonly keys: readonly string[];
  readonly labels: readonly Label[];
  readonly status: 'ok' | 'open' | 'nodata';
  /** The last runs, newest last: `1` where it was found to violate. */
  readonly recent: string;
  /** When it opened, milliseconds since the epoch. */
  readonly since?: number;
  /** The annotation that marks how long it is open. */
  readonly annotation?: string;
}

/** How far a monitor of matching events has looked, and how many it has told of lately. */
export interface MatchState {
  /**
   * Position in the log, in decimal digits: every batch up to it has been looked at, but those in
   * `held`.
   */
  readonly upTo: string;
  /**
   * Positions of batches that the engine had refused when they were passed: it may take them after
   * a later start.
   */
  readonly held?: readonly string[];
  /**
   * When notifications were sent in the last day, milliseconds since the epoch; the most there may
   * be are few.
   */
  readonly sent: readonly number[];
  /** It was said that some are left out. */
  readonly suppressing: boolean;
}

export interface MonitorState {
  /** What it is the state of: it means nothing for another query. */
  readonly about: string;
  /** Runs made so far. */
  readonly runs: number;
  readonly groups: Readonly<Record<string, GroupState>>;
  readonly match?: MatchState;
  /** Why the last run failed. */
  readonly error?: string;
}

/**
 * What makes another monitor of a monitor: whatever decides which values violate, of which groups.
 */
export const aboutOf = ({
  type,
  aplQuery,
  language,
  operator,
  threshold,
  columnName,
  notifyByGroup,
  tolerance,
  compareDays,
}: Omit<StoredMonitor, 'id'>): string =>
  JSON.stringify([type, aplQuery, language, operator, threshold, columnName, notifyByGroup, tolerance, compareDays]);

export const newState = (about: string): MonitorState => ({ about, runs: 0, groups: {} });

/** What a monitor is, in a word. */
export function standingOf(state: MonitorState | undefined): 'ok' | 'open' | 'nodata' | 'error' {
  if (state === undefined) return 'ok';
  const statuses = Object.values(state.groups).map(({ status }) => status);
  if (statuses.includes('open')) return 'open';
  if (statuses.includes('nodata')) return 'nodata';
  return state.error === undefined ? 'ok' : 'error';
}

/** N of M: how many of how many last runs open. */
export function needed({
  triggerFromNRuns: of,
  triggerAfterNPositiveResults: positive,
}: Pick<Monitor, 'triggerFromNRuns' | 'triggerAfterNPositiveResults'>): {
  readonly positive: number;
  readonly of: number;
} {
  return { positive: positive || of || 1, of: of || 1 };
}
