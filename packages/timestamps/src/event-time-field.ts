import { parseTimestampText } from './detect.js';
import { epochToNanoseconds } from './epoch.js';

/** Names of fields with the event's time, the most telling first; without case and separators. */
const NAMES = [
  'timestamp',
  'eventtime',
  'eventtimestamp',
  'datetime',
  'time',
  'ts',
  'logtime',
  'date',
  't',
  'realtimetimestamp',
];

/** Earlier and later times are more likely durations, counters and plans. */
const EARLIEST = 946_684_800_000_000_000n;
const AHEAD = 366n * 86_400_000_000_000n;

/** Rank of a name, if it is one that fields with the event's time have. */
function rankOf(name: string): number | undefined {
  const rank = NAMES.indexOf(name.toLowerCase().replaceAll(/[^a-z\d]/g, ''));
  return rank < 0 ? undefined : rank;
}

/** Whether fields with the event's time have this name, such as `@timestamp` or `EventTime`. */
export const isEventTimeName = (name: string): boolean => name !== '_time' && rankOf(name) !== undefined;

/**
 * The field that plainly has the event's time: it has a usual name, and all its values are dates
 * with a time of day, or epochs. Undefined if there is none, or if an event has `_time`.
 */
export function eventTimeField(events: readonly Readonly<Record<string, unknown>>[], now: bigint): string | undefined {
  const ranked = new Map<string, number>();
  for (const event of events)
    for (const name of Object.keys(event)) {
      if (name === '_time') return undefined;
      const rank = rankOf(name);
      if (rank !== undefined) ranked.set(name, rank);
    }
  const valuesOf = (name: string): readonly unknown[] => events.flatMap((event) => event[name] ?? []);
  const isTimes = (name: string): boolean => {
    const values = valuesOf(name);
    return values.length > 0 && values.every((value) => isTime(value, now));
  };
  return [...ranked.keys()].toSorted((a, b) => ranked.get(a)! - ranked.get(b)!).find(isTimes);
}

function isTime(value: unknown, now: bigint): boolean {
  // A date alone is a day, not a time.
  if (typeof value === 'string' && !/\d:\d\d|\d{10}/.test(value)) return false;
  const time =
    typeof value === 'string'
      ? parseTimestampText(value, now)
      : typeof value === 'number'
        ? epochToNanoseconds(value)
        : undefined;
  return time !== undefined && time >= EARLIEST && time <= now + AHEAD;
}
