import { LruCache } from '@millrace/runtime/memory/lru-cache';
import type { Silence } from '@millrace/api/schemas/silence';
import { matchesCron, matchesDay, parseCron } from './cron.js';

/** When a silence is active. */

type SilenceSchedule = Pick<Silence, 'startTime' | 'endTime' | 'repeat'>;

const minute = 60_000;
/** Time zones change their offsets at multiples of this. */
const quarter = 15 * minute;

/**
 * When the silence ends that is active now; undefined if it is not active.
 * @param now milliseconds since the epoch
 */
export function activeUntil(silence: SilenceSchedule, now: number): number | undefined {
  const end = silence.endTime === undefined ? Number.POSITIVE_INFINITY : Date.parse(silence.endTime);
  if (now < Date.parse(silence.startTime) || now >= end) return undefined;
  if (silence.repeat === undefined) return end;
  const until = windowEnd(silence.repeat, now);
  return until === undefined ? undefined : Math.min(until, end);
}

type Repeat = NonNullable<Silence['repeat']>;

/** Last result of each schedule: every run of a monitor asks for the same minute. */
const windowCache = new WeakMap<Repeat, { readonly minute: number; readonly until: number | undefined }>();

/** End of the latest window that contains this minute. */
function windowEnd(repeat: Repeat, now: number): number | undefined {
  const newest = now - (now % minute);
  const last = windowCache.get(repeat);
  if (last?.minute === newest) return last.until;
  const until = latestStart(repeat, newest, newest - repeat.durationMinutes * minute);
  const found = { minute: newest, until: until === undefined ? undefined : until + repeat.durationMinutes * minute };
  windowCache.set(repeat, found);
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

/**
 * When the silence starts next, within the coming year; undefined if it does not.
 * @param now milliseconds since the epoch
 */
export function nextStart(silence: SilenceSchedule, now: number): number | undefined {
  const start = Date.parse(silence.startTime);
  const end = silence.endTime === undefined ? Number.POSITIVE_INFINITY : Date.parse(silence.endTime);
  if (silence.repeat === undefined) return now < start && start < end ? start : undefined;
  const found = nextWindow(silence.repeat, Math.max(now, start));
  return found !== undefined && found < end ? found : undefined;
}

/** The farthest start that is sought, so that an impossible date ends the search. */
const farthest = 366 * 1440 * minute;

/** Last result of each schedule: it holds until that start. */
const knownNext = new WeakMap<Repeat, { readonly after: number; readonly start: number | undefined }>();

/** The first start of a window after a time. */
function nextWindow(repeat: Repeat, after: number): number | undefined {
  const last = knownNext.get(repeat);
  if (last !== undefined && last.after <= after && after < (last.start ?? last.after + 1440 * minute))
    return last.start;
  const start = soughtStart(repeat, after);
  knownNext.set(repeat, { after, start });
  return start;
}

function soughtStart({ cron, timeZone = 'UTC' }: Repeat, after: number): number | undefined {
  const times = parseCron(cron);
  for (let block = after - (after % quarter); block < after + farthest;) {
    const offset = offsetAt(block, timeZone);
    const local = block + offset;
    const hour = new Date(local).getUTCHours();
    if (!matchesDay(times, local) && hour < latestSkipped) {
      block += (latestSkipped - hour) * 4 * quarter - (local % (4 * quarter));
      continue;
    }
    const skipped = offset - offsetAt(block - quarter, timeZone);
    for (let each = minute; block > after && each <= skipped; each += minute)
      if (matchesCron(times, local - each)) return block;
    for (let each = block; each < block + quarter; each += minute)
      if (each > after && matchesCron(times, each + offset)) return each;
    block += quarter;
  }
  return undefined;
}

/** Hour up to which other days are skipped: clocks are set around midnight in some zones. */
const latestSkipped = 22;

/** Difference of local time to UTC, milliseconds. */
function offsetAt(time: number, timeZone: string): number {
  const parts = formatOf(timeZone).formatToParts(time);
  const of = (type: Intl.DateTimeFormatPartTypes): number =>
    Number(parts.find((part) => part.type === type)?.value ?? 0);
  return Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute')) - (time - (time % minute));
}

/** By time zone. There are a few hundred, which users may spell in upper and lower case. */
const formats = new LruCache<string, Intl.DateTimeFormat>(1000);

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
