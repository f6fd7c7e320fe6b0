import type { Silence } from '@millrace/api/schemas/silence';
import { matchesCron, parseCron } from './cron.js';

/** When a silence is active. */

type Scheduled = Pick<Silence, 'startTime' | 'endTime' | 'repeat'>;

const minute = 60_000;
/** Time zones change their offsets at multiples of this. */
const quarter = 15 * minute;

/**
 * When the silence ends that is active now; undefined if it is not active.
 * @param now milliseconds since the epoch
 */
export function activeUntil(silence: Scheduled, now: number): number | undefined {
  const end = silence.endTime === undefined ? Number.POSITIVE_INFINITY : Date.parse(silence.endTime);
  if (now < Date.parse(silence.startTime) || now >= end) return undefined;
  if (silence.repeat === undefined) return end;
  const until = windowEnd(silence.repeat, now);
  return until === undefined ? undefined : Math.min(until, end);
}

type Repeat = NonNullable<Silence['repeat']>;

/** Last result of each schedule: every run of a monitor asks for the same minute. */
const known = new WeakMap<Repeat, { readonly minute: number; readonly until: number | undefined }>();

/** End of the latest window that contains this minute. */
function windowEnd(repeat: Repeat, now: number): number | undefined {
  const newest = now - (now % minute);
  const last = known.get(repeat);
  if (last?.minute === newest) return last.until;
  const until = latestStart(repeat, newest, newest - repeat.durationMinutes * minute);
  const found = { minute: newest, until: until === undefined ? undefined : until + repeat.durationMinutes * minute };
  known.set(repeat, found);
  return found.until;
}

/** The latest start after `before`, up to `newest`. */
function latestStart({ cron, timeZone = 'UTC' }: Repeat, newest: number, before: number): number | undefined {
  const times = parseCron(cron);
  for (let start = newest; start > before;) {
    const block = start - (start % quarter);
    const offset = offsetAt(block, timeZone);
    for (; start >= block && start > before; start -= minute) if (matchesCron(times, start + offset)) return start;
    if (start < before) break;
    // Minutes that a clock set ahead leaves out are made up for at once.
    const skipped = offset - offsetAt(block - quarter, timeZone);
    for (let each = minute; block > before && each <= skipped; each += minute)
      if (matchesCron(times, block + offset - each)) return block;
  }
  return undefined;
}

/** Difference of local time to UTC, milliseconds. */
function offsetAt(time: number, timeZone: string): number {
  const parts = formatOf(timeZone).formatToParts(time);
  const of = (type: Intl.DateTimeFormatPartTypes): number =>
    Number(parts.find((part) => part.type === type)?.value ?? 0);
  return Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute')) - (time - (time % minute));
}

/** By time zone. There are a few hundred time zones. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const present = formats.get(timeZone);
  if (present !== undefined) return present;
  const numeric = 'numeric' as const;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: numeric,
    month: numeric,
    day: numeric,
    hour: numeric,
    minute: numeric,
  });
  formats.set(timeZone, made);
  return made;
}
