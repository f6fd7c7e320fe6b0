import type { MonitorChange, StoredMonitor } from '@millrace/api/schemas/monitor';
import { aboutOf } from '@millrace/api/schemas/monitor';
import type { RunWindow } from '../evaluate/evaluate.js';
import type { Label } from '../evaluate/result-table.js';
import { digest } from '../outbox/compose.js';
import { describeChange, nameWithGroup } from '../outbox/message-text.js';
import type { Change } from './transition.js';

/** What the history keeps of a change beside what clients of Axiom read: the incident's facts. */
export interface ChangeDetails {
  /** Hash of the group's key; empty for the whole monitor. */
  readonly group: string;
  readonly keys: readonly string[];
  readonly values: readonly Label[];
  readonly text: string;
  readonly value?: number;
  /** The range that the run queried, milliseconds since the epoch. */
  readonly start: number;
  readonly end: number;
  /** Log position after the run, in decimal digits. */
  readonly position?: string;
  /** Hash of the monitor's condition. */
  readonly about: string;
}

/** A state change as stored. */
export interface StoredChange extends MonitorChange {
  readonly details?: ChangeDetails;
}

interface ChangeContext {
  readonly checkId: string;
  readonly time: number;
  readonly window: RunWindow;
  readonly position: bigint | undefined;
  /** {@link conditionHash} of the monitor. */
  readonly about: string;
}

/** Hash of a group in references and stored changes. */
export const groupHash = (group: string): string => (group === '' ? '' : digest(group));

/** @param time of the opening, milliseconds since the epoch */
export const incidentId = (time: number, hash: string): string => `${time}${hash === '' ? '' : `-${hash}`}`;

export const conditionHash = (monitor: StoredMonitor): string => digest(aboutOf(monitor));

export function storedChange(
  change: Change,
  monitor: StoredMonitor,
  { checkId, time, window, position, about }: ChangeContext,
): StoredChange {
  return {
    checkId,
    name: nameWithGroup(monitor.name, change),
    state: change.action === 'Open' ? 'open' : 'closed',
    timestamp: new Date(time).toISOString(),
    details: {
      group: groupHash(change.group),
      keys: change.keys,
      values: change.labels,
      text: describeChange(change, monitor),
      ...(change.why === 'value' && { value: change.value }),
      start: window.start,
      end: window.end,
      ...(position !== undefined && { position: String(position) }),
      about,
    },
  };
}

/** Details of a run that found matching events. */
export const matchDetails = (
  monitor: StoredMonitor,
  { matched, window, position }: Pick<ChangeContext, 'window' | 'position'> & { readonly matched: number },
): ChangeDetails => ({
  group: '',
  keys: [],
  values: [],
  text: matched === 1 ? 'An event matched' : `${matched} events matched`,
  value: matched,
  start: window.start,
  end: window.end,
  ...(position !== undefined && { position: String(position) }),
  about: conditionHash(monitor),
});

/** A change as clients read it. */
export const shownChange = ({ checkId, name, state, timestamp }: StoredChange): MonitorChange => ({
  checkId,
  name,
  state,
  timestamp,
});
