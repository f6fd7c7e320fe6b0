import type { StoredMonitor } from '@millrace/api/schemas/monitor';
import type { RunWindow } from './evaluate.js';
import { aboutRun, severityOf } from '../outbox/compose.js';
import type { Notification } from '../outbox/notification.js';
import type { MatchedEvent, Source } from '../source.js';
import type { MatchState } from '../state/state.js';

/**
 * Match monitors: each matching event is notified once, in ingest order, whatever its time. A run
 * reads the events after the position where the last run ended; that position is stored with the
 * notifications. Quarantined batches that a run passes are remembered, and matched when the engine
 * has accepted them.
 */

export interface MatchLimits {
  readonly perMinute: number;
  readonly perDay: number;
}

interface MatchOptions {
  readonly source: Pick<Source, 'matches'>;
  readonly signal: AbortSignal;
  readonly timeout: number;
  readonly limits: MatchLimits;
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** Everything up to it is acknowledged. */
  readonly upTo: bigint;
}

interface MatchFound {
  readonly match: MatchState;
  readonly matched: number;
  /** By the key that makes each notification unique. */
  readonly notifications: readonly { readonly key: string; readonly notification: Notification }[];
}

/** Events that are fetched for one run; of more, the number is not known. */
const maxFetched = 1000;
/** Maximum remembered batches; quarantined batches are not expected at all. */
const maxHeld = 1000;
const dayMilliseconds = 86_400_000;

/**
 * @throws HttpError, EngineError when the query fails; the next run then reads the same events
 * again
 */
export async function match(
  monitor: StoredMonitor,
  before: MatchState | undefined,
  { source, signal, timeout, limits, time, upTo }: MatchOptions,
): Promise<MatchFound> {
  const after = BigInt(before?.upTo ?? monitor.from);
  const { aplQuery: apl, reads } = monitor;
  const late = (before?.held ?? []).map(BigInt);
  const end = upTo > after ? upTo : after;
  const { events, held } =
    end === after && late.length === 0
      ? { events: [], held: [] }
      : await source.matches({ apl, reads, signal, timeout, due: time, after, upTo: end, late, limit: maxFetched });
  const passed = held.filter((position) => late.includes(position) || (position > after && position <= end));
  const lately = (before?.sent ?? []).filter((sent) => sent > time - dayMilliseconds && sent <= time);
  const lastMinute = lately.filter((sent) => sent > time - 60_000).length;
  const room = Math.max(0, Math.min(limits.perMinute - lastMinute, limits.perDay - lately.length));
  const reported = events.slice(0, room);
  const leftOut = events.length - reported.length;
  const says = leftOut > 0 && before?.suppressing !== true;
  const window: RunWindow = { start: time - 60_000, end: time };
  const about = {
    ...aboutRun({ monitor, window, time }),
    action: 'Open',
    value: 0,
    groupKeys: null,
    groupValues: null,
    severity: severityOf(monitor),
  } as const;
  const notifications: MatchFound['notifications'][number][] = reported.map(({ id, event }) => ({
    key: `${monitor.id}-${id}`,
    notification: {
      ...about,
      body: bodyOf(event),
      matchedEvent: shortenEvent(event),
      incident: `millrace-${monitor.id}-${id}`,
    },
  }));
  if (says)
    notifications.push({
      key: `${monitor.id}-${upTo}-suppressed`,
      notification: {
        ...about,
        body: `${leftOut}${events.length === maxFetched ? ' or more' : ''} more matches suppressed (limits: ${limits.perMinute} notifications per minute, ${limits.perDay} per day)`,
        matchedEvent: null,
        incident: `millrace-${monitor.id}-suppressed`,
      },
    });
  return {
    match: {
      upTo: String(end),
      ...(passed.length > 0 && { held: passed.slice(-maxHeld).map(String) }),
      sent: [...lately, ...reported.map(() => time)],
      suppressing: leftOut > 0,
    },
    matched: events.length,
    notifications,
  };
}

/** Maximum bytes of an event in a message; receivers accept little more. */
const maxBytes = 100_000;

function bodyOf(event: MatchedEvent['event']): string {
  const text = JSON.stringify(event);
  return Buffer.byteLength(text) <= maxBytes ? text : JSON.stringify(shortenEvent(event));
}

/** An event that is too long loses its longest values. */
function shortenEvent(event: MatchedEvent['event']): MatchedEvent['event'] {
  let rest = maxBytes;
  const members = Object.entries(event).toSorted(([, a], [, b]) => JSON.stringify(a).length - JSON.stringify(b).length);
  const kept = new Set<string>();
  for (const [name, value] of members) {
    rest -= Buffer.byteLength(JSON.stringify(value)) + name.length + 4;
    if (rest >= 0) kept.add(name);
  }
  return Object.fromEntries(
    Object.entries(event).map(([name, value]) => [name, kept.has(name) ? value : '…'] as const),
  );
}
