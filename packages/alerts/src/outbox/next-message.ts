import { failingGroup } from '../state/monitor-failure.js';
import { incidentOf, limitLines } from './compose.js';
import type { Notification } from './notification.js';
import { type MessageGroups, type Incident, lineOf, type News, type ReceiverState } from './receiver-state.js';

/**
 * The next message to a receiver about a monitor. Closings come first, so that a group that closes
 * and opens again does so in that order. Receivers without incidents get everything that closed, or
 * opened, in one message; those with incidents get one for each group, or a summary for many.
 */

interface NextMessage {
  readonly notification: Notification;
  readonly covered: MessageGroups;
  /** Time of the newest run that it covers, milliseconds since the epoch. */
  readonly decided: number;
}

interface Receiver {
  readonly monitorId: string;
  /** It has one incident per group. */
  readonly perGroup: boolean;
  /** Maximum groups with separate incidents; further groups share a summary incident. */
  readonly maxAlone: number;
  /** It is muted: only its open incidents are closed. */
  readonly onlyClosings: boolean;
}

type Entry = readonly [group: string, incident: Incident];

/** @returns the state from the first attempt on; without a message if nothing is due */
export function nextMessage(
  state: ReceiverState,
  receiver: Receiver,
): { readonly state: ReceiverState; readonly message?: NextMessage } {
  const { perGroup, maxAlone, onlyClosings } = receiver;
  const entries = Object.entries(state.incidents);
  const closed = entries.filter(([, { open, due }]) => !open && due);
  if (!perGroup) {
    if (closed.length > 0 && !onlyClosings) return sendEntries(state, receiver, 'Closed', closed, false);
    const opened = mostExtremeFirst(state, entries.filter(isOpenAndDue));
    return opened.length === 0 || onlyClosings ? { state } : sendEntries(state, receiver, 'Open', opened, false);
  }
  const alone = closed.find(([, { shared }]) => shared !== true);
  if (alone !== undefined) return sendEntries(state, receiver, 'Closed', [alone], false);
  const left = withoutClosedParts(state);
  if (left.summary && !Object.values(left.incidents).some(({ shared, open }) => shared === true && open)) {
    const parts = Object.entries(left.incidents).filter(([, { shared }]) => shared === true);
    return left.about.skipResolved
      ? { state: { ...left, summary: false } }
      : sendEntries(left, receiver, 'Closed', parts, true);
  }
  if (onlyClosings) return { state: left };
  const placed = withPlaces(left, maxAlone);
  const opened = mostExtremeFirst(placed, Object.entries(placed.incidents).filter(isOpenAndDue));
  const first = opened.find(([, { shared }]) => shared !== true);
  if (first !== undefined) return sendEntries(placed, receiver, 'Open', [first], false);
  return opened.length === 0 ? { state: placed } : sendEntries(placed, receiver, 'Open', opened, true);
}

const isOpenAndDue = ([, { open, due }]: Entry): boolean => open && due;

function mostExtremeFirst({ about: { isLow } }: ReceiverState, entries: readonly Entry[]): readonly Entry[] {
  const valueOf = ([, { news }]: Entry): number => (isLow ? -1 : 1) * (news?.value ?? 0);
  return entries.toSorted((a, b) => valueOf(b) - valueOf(a));
}

/** Drops closed parts of a summary: as long as another part is open, nothing is sent. */
function withoutClosedParts(state: ReceiverState): ReceiverState {
  const entries = Object.entries(state.incidents);
  const isOver = ([, { shared, open }]: Entry): boolean => shared === true && !open;
  const goesOn = entries.some(([, { shared, open }]) => shared === true && open);
  if (state.summary && !goesOn) return state;
  return { ...state, incidents: Object.fromEntries(entries.filter((entry) => !isOver(entry))) };
}

/**
 * Gives newly open groups separate incidents, or a place in the summary if there are too many. A
 * monitor that cannot run always has its own incident.
 */
function withPlaces(state: ReceiverState, maxAlone: number): ReceiverState {
  const entries = Object.entries(state.incidents);
  const isFresh = ([group, { open, due, told }]: Entry): boolean =>
    group !== failingGroup && open && due && told === 'no';
  const fresh = entries.filter(isFresh).length;
  if (fresh === 0) return state;
  const alone = entries.filter(
    ([group, { open, shared, told }]) => group !== failingGroup && open && shared !== true && told !== 'no',
  ).length;
  const shared = alone + fresh > maxAlone;
  return {
    ...state,
    incidents: Object.fromEntries(
      entries.map((entry) => [entry[0], isFresh(entry) ? { ...entry[1], shared } : entry[1]]),
    ),
  };
}

function sendEntries(
  state: ReceiverState,
  { monitorId }: Receiver,
  action: 'Open' | 'Closed',
  entries: readonly Entry[],
  summary: boolean,
): { readonly state: ReceiverState; readonly message: NextMessage } {
  const incidents = { ...state.incidents };
  for (const [group, incident] of entries)
    incidents[group] = {
      ...incident,
      due: false,
      told: action === 'Open' && incident.told === 'yes' ? 'yes' : 'maybe',
    };
  const decided = entries.reduce((latest, [, { news }]) => Math.max(latest, news?.time ?? 0), 0);
  const main = entries[0]?.[1];
  const news = main?.news ?? summaryEnd(state, decided);
  const many = summary ? [sizeOf(state, action, entries)] : [];
  const lines = limitLines(entries, ([, incident]) => lineOf(incident));
  const isOfGroup = !summary && main !== undefined && main.labels.length > 0;
  const instant = (milliseconds: number): string => new Date(milliseconds).toISOString();
  return {
    state: { ...state, incidents, summary: state.summary || summary },
    message: {
      decided,
      covered: { action, groups: entries.map(([group]) => group), summary },
      notification: {
        monitorId,
        title: state.about.title,
        description: state.about.description,
        action,
        body: [...many, ...lines].join('\n'),
        queryStartTime: instant(news.start),
        queryEndTime: instant(news.end),
        timestamp: instant(news.time),
        value: news.value,
        matchedEvent: null,
        groupKeys: isOfGroup ? main.keys : null,
        groupValues: isOfGroup ? main.labels : null,
        incident: incidentOf(monitorId, summary ? summaryKey : (entries[0]?.[0] ?? '')),
        severity: news.severity,
      },
    },
  };
}

/** No group has this key: keys are empty, JSON or a word without spaces. */
export const summaryKey = 'all further groups';

/** News for a summary that has no parts any more. */
const summaryEnd = ({ about: { severity } }: ReceiverState, time: number): News => ({
  text: '',
  value: 0,
  severity,
  time,
  start: time,
  end: time,
});

function sizeOf(state: ReceiverState, action: 'Open' | 'Closed', entries: readonly Entry[]): string {
  if (action === 'Closed') return 'None of the further groups is open any more';
  const all = Object.values(state.incidents).filter(({ shared, open }) => shared === true && open).length;
  return `${all} groups are open, ${entries.length} of them since the last message`;
}
