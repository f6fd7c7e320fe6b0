import type { Label } from '../evaluate/result-table.js';
import { groupText } from './message-text.js';
import type { Severity } from './severity.js';

/**
 * State of one receiver for one monitor, including pending notifications. Each group has one entry;
 * a new change replaces the pending one. A group that opens and closes before its notification is
 * sent causes no message. A group that the receiver may have open keeps its entry until the closing
 * is sent.
 */

export interface ReceiverState {
  readonly about: AboutMonitor;
  /** By the key of the group. */
  readonly incidents: Readonly<Record<string, Incident>>;
  /** The receiver may have the summary incident of many groups open. */
  readonly summary: boolean;
}

/**
 * Monitor properties used in messages, stored here because the monitor may be deleted before they
 * are sent.
 */
export interface AboutMonitor {
  readonly title: string;
  readonly description: string;
  readonly skipResolved: boolean;
  readonly severity: Severity;
  /** The lowest value is the most extreme one. */
  readonly isLow: boolean;
}

export interface Incident {
  readonly keys: readonly string[];
  readonly labels: readonly Label[];
  /** Current state of the group. */
  readonly open: boolean;
  /**
   * Whether the receiver has it open; `maybe` from the first attempt until one succeeds. Nodes of
   * earlier versions read this name.
   */
  readonly told: 'no' | 'maybe' | 'yes';
  readonly due: boolean;
  /** It belongs to the summary incident of many groups. */
  readonly shared?: boolean;
  /** The last change, until it is delivered. */
  readonly news?: News;
}

export interface News {
  readonly text: string;
  readonly value: number;
  readonly severity: Severity;
  /** Time of the run and its queried range, milliseconds since the epoch. */
  readonly time: number;
  readonly start: number;
  readonly end: number;
}

/** One change of one group. */
export interface GroupNews {
  readonly group: string;
  readonly keys: readonly string[];
  readonly labels: readonly Label[];
  readonly action: 'Open' | 'Closed';
  /** The group was open already; only repeats the notification. */
  readonly again: boolean;
  readonly news: News;
}

export const newReceiverState = (about: AboutMonitor): ReceiverState => ({ about, incidents: {}, summary: false });

/** Whether a notification is due. */
export const isDue = ({ incidents, summary }: ReceiverState): boolean => {
  const all = Object.values(incidents);
  return all.some(({ due }) => due) || (summary && !all.some(({ shared }) => shared === true));
};

/** Whether any group is open. */
export const hasOpen = ({ incidents }: ReceiverState): boolean => Object.values(incidents).some(({ open }) => open);

/** Whether the receiver has nothing open and nothing pending. */
export const isEmpty = ({ incidents, summary }: ReceiverState): boolean =>
  !summary && Object.keys(incidents).length === 0;

/** Applies the changes of a run. */
export function withChanges(state: ReceiverState, about: AboutMonitor, changes: readonly GroupNews[]): ReceiverState {
  const incidents = { ...state.incidents };
  for (const change of changes)
    if (change.action === 'Open') open(incidents, change);
    else close(incidents, change.group, change.news, about.skipResolved);
  return { about, incidents, summary: state.summary };
}

/**
 * Replaces the open groups by exactly these, for a receiver that missed runs: it is new, was
 * silent, or is closing.
 */
export function withExactly(state: ReceiverState, openGroups: readonly GroupNews[], over: News): ReceiverState {
  const incidents = { ...state.incidents };
  const present = new Set(openGroups.map(({ group }) => group));
  for (const [group, incident] of Object.entries(incidents))
    if (incident.open && !present.has(group)) close(incidents, group, over, state.about.skipResolved);
  for (const change of openGroups) {
    if (incidents[change.group]?.open !== true) open(incidents, { ...change, again: false });
  }
  return { ...state, incidents };
}

/**
 * State of a receiver that an older version, without states, has notified that these groups are
 * open.
 */
export function assumeDelivered(about: AboutMonitor, groups: readonly GroupNews[]): ReceiverState {
  const incidents = groups.map(
    ({ group, keys, labels }) => [group, { keys, labels, open: true, told: 'yes', due: false }] as const,
  );
  return { about, incidents: Object.fromEntries(incidents), summary: false };
}

/** Closes everything that is open. */
export function dropGroups(state: ReceiverState, over: News): ReceiverState {
  return withExactly(state, [], over);
}

function open(incidents: Record<string, Incident>, { group, keys, labels, again, news }: GroupNews): void {
  const present = incidents[group];
  const told = present?.told ?? 'no';
  // A group that closed and opened again before the closing was sent is still open for the
  // receiver.
  const due = again || told !== 'yes';
  incidents[group] = { keys, labels, open: true, told, due, ...sharedAs(present), ...(due && { news }) };
}

function close(incidents: Record<string, Incident>, group: string, news: News, skipResolved: boolean): void {
  const present = incidents[group];
  if (present === undefined) return;
  if (present.told === 'no' || skipResolved) delete incidents[group];
  else incidents[group] = { ...present, open: false, due: true, news };
}

const sharedAs = (incident: Incident | undefined) => (incident?.shared === true ? { shared: true } : {});

/** The groups of a message, stored with it. */
export interface MessageGroups {
  readonly action: 'Open' | 'Closed';
  readonly groups: readonly string[];
  /** It is about the summary incident of many groups. */
  readonly summary: boolean;
}

/** Applies the final outcome of a message to its groups. */
export function afterDelivery(
  state: ReceiverState,
  { action, groups, summary }: MessageGroups,
  outcome: 'delivered' | 'failed',
): ReceiverState {
  const incidents = { ...state.incidents };
  for (const group of groups) {
    const incident = incidents[group];
    if (incident === undefined) continue;
    if (action === 'Closed') {
      if (!incident.open) delete incidents[group];
      else incidents[group] = { ...incident, told: 'no', due: true };
    } else if (outcome === 'delivered') {
      const { news, ...kept } = incident;
      incidents[group] = { ...kept, told: 'yes', ...(incident.due && news !== undefined && { news }) };
    }
  }
  return { ...state, incidents, summary: summary && action === 'Closed' ? false : state.summary };
}

/** Marks the groups of a message that may not have arrived as due again. */
export function takenBack(state: ReceiverState, { groups }: MessageGroups): ReceiverState {
  const incidents = { ...state.incidents };
  for (const group of groups) {
    const incident = incidents[group];
    if (incident !== undefined && (!incident.open || incident.told !== 'yes'))
      incidents[group] = { ...incident, due: true };
  }
  return { ...state, incidents };
}

/** One line of a message. */
export function lineOf({ keys, labels, news }: Incident): string {
  const group = groupText({ keys, labels });
  const text = news?.text ?? '';
  return group === '' ? text : `${text} (${group})`;
}
