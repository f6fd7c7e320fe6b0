import type { WriteSilence } from '@millrace/client';
import type { Silence } from '../../../data/alerts.js';
import { durationText, HOUR, instantText, MINUTE, nowInstant, parseDuration } from '../../../data/time/instants.js';
import { minuteText, readTime } from '../../../data/time/read-time.js';
import { isZone, zoneName } from '../../../data/time/zones.js';
import { labelsIn, labelsText } from '../label-lines.js';

/** A silence in the form. */
export interface SilenceDraft {
  readonly reason: string;
  readonly monitorIds: readonly string[];
  /** One per line: `team=payments`. */
  readonly labels: string;
  /** One per line: `host=db-1`. */
  readonly groups: string;
  readonly kind: 'once' | 'weekly' | 'cron';
  /** In the viewer's zone; empty means now. */
  readonly starts: string;
  /** Empty means never, for repeating ones. */
  readonly ends: string;
  readonly days: readonly Weekday[];
  /** `22:00`. */
  readonly clock: string;
  readonly cron: string;
  /** `2h`. */
  readonly duration: string;
  readonly timeZone: string;
}

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof weekdays)[number];

/** What a new silence is about. */
export type SilenceSubject = Partial<Pick<SilenceDraft, 'monitorIds' | 'labels' | 'groups'>>;

export const newSilence = (zone: string, subject: Partial<SilenceDraft> = {}): SilenceDraft => ({
  reason: '',
  monitorIds: [],
  labels: '',
  groups: '',
  kind: 'once',
  starts: '',
  ends: minuteText(instantText(nowInstant() + HOUR), zone),
  days: ['sat'],
  clock: '22:00',
  cron: '0 22 * * sat',
  duration: '2h',
  timeZone: zoneName(zone),
  ...subject,
});

/** A new silence like an earlier one, from now on. */
export function copyOf(silence: Silence, zone: string): SilenceDraft {
  const { starts: _, ends: __, ...draft } = silenceDraftOf(silence, zone);
  return newSilence(zone, { ...draft, ...(draft.kind !== 'once' && { ends: '' }) });
}

export function silenceDraftOf(silence: Silence, zone: string): SilenceDraft {
  const { reason, monitorIds = [], labels, groups, startTime, endTime, repeat } = silence;
  const base: SilenceDraft = {
    ...newSilence(zone, { monitorIds, labels: labelsText(labels), groups: labelsText(groups) }),
    reason,
    starts: minuteText(startTime, zone),
    ends: endTime === undefined ? '' : minuteText(endTime, zone),
  };
  if (repeat === undefined) return base;
  const weekly = weeklyIn(repeat.cron);
  return {
    ...base,
    ...weekly,
    kind: weekly === undefined ? 'cron' : 'weekly',
    cron: repeat.cron,
    duration: durationText(BigInt(repeat.durationMinutes) * MINUTE),
    timeZone: repeat.timeZone ?? 'UTC',
  };
}

/** `0 22 * * sat,sun` → days and time; undefined if the expression says more. */
export function weeklyIn(cron: string): Pick<SilenceDraft, 'days' | 'clock'> | undefined {
  const [, minute, hour, names] = /^(\d{1,2}) (\d{1,2}) \* \* (\*|[a-z]{3}(?:,[a-z]{3})*)$/.exec(cron) ?? [];
  if (minute === undefined || hour === undefined || names === undefined) return undefined;
  const days = names === '*' ? weekdays : weekdays.filter((day) => names.split(',').includes(day));
  if (names !== '*' && days.length !== names.split(',').length) return undefined;
  return { days, clock: `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}` };
}

function cronOf({ kind, cron, clock, days }: SilenceDraft): string {
  if (kind === 'cron') return cron.trim();
  const [hour = '0', minute = '0'] = clock.split(':');
  return `${Number(minute)} ${Number(hour)} * * ${days.length === weekdays.length ? '*' : days.join(',')}`;
}

export type SilenceProblems = { readonly [Field in keyof SilenceDraft]?: string };

/** The longest window that the server allows. */
const longest = 7n * 24n * HOUR;

/** Validation errors by field; the server validates the rest. */
export function silenceProblems(draft: SilenceDraft, zone: string): SilenceProblems {
  const { reason, labels, groups, monitorIds, kind, starts, ends, days, clock, duration, timeZone } = draft;
  const [start, end] = [readTime(starts, zone), readTime(ends, zone)];
  const isNothing = monitorIds.length === 0 && labels.trim() === '' && groups.trim() === '';
  const length = parseDuration(duration.replaceAll(' ', ''));
  return {
    ...(reason.trim() === '' && { reason: 'Enter a reason' }),
    ...(isNothing && { monitorIds: 'Select monitors, labels or groups' }),
    ...(hasBadLine(labels) && { labels: 'Write name=value on each line' }),
    ...(hasBadLine(groups) && { groups: 'Write field=value on each line' }),
    ...(starts.trim() !== '' && start === undefined && { starts: 'Use the format 2026-12-24 18:00' }),
    ...(ends.trim() === ''
      ? kind === 'once' && { ends: 'Enter an end' }
      : end === undefined && { ends: 'Use the format 2026-12-24 18:00' }),
    ...(end !== undefined &&
      Date.parse(end) <= (start === undefined ? Date.now() : Date.parse(start)) && { ends: 'Must be after the start' }),
    ...(kind === 'weekly' && days.length === 0 && { days: 'Select a day' }),
    ...(kind === 'weekly' && !/^([01]?\d|2[0-3]):[0-5]\d$/.test(clock) && { clock: 'Use the format 22:00' }),
    ...(kind === 'cron' && draft.cron.trim().split(/\s+/).length !== 5 && { cron: 'Enter five fields' }),
    ...(kind !== 'once' &&
      (length === undefined || length < MINUTE || length > longest) && {
        duration: 'Use a duration such as 90m or 2h, up to 7d',
      }),
    ...(kind !== 'once' && !isZone(timeZone) && { timeZone: 'Use a name such as Europe/Berlin' }),
  };
}

const hasBadLine = (text: string): boolean =>
  Object.entries(labelsIn(text)).some(([name, value]) => name === '' || value === '');

/**
 * Request for a draft without problems.
 * @param before the silence that is edited: times that were not changed keep their seconds
 */
export function silenceBodyOf(draft: SilenceDraft, zone: string, before?: Silence): WriteSilence {
  const timeIn = (text: string, known: string | undefined): string | undefined =>
    known !== undefined && minuteText(known, zone) === text ? known : readTime(text, zone);
  const { reason, monitorIds, kind, duration, timeZone } = draft;
  const [labels, groups] = [labelsIn(draft.labels), labelsIn(draft.groups)];
  const [start, end] = [timeIn(draft.starts, before?.startTime), timeIn(draft.ends, before?.endTime)];
  return {
    reason: reason.trim(),
    ...(monitorIds.length > 0 && { monitorIds }),
    ...(Object.keys(labels).length > 0 && { labels }),
    ...(Object.keys(groups).length > 0 && { groups }),
    ...(start !== undefined && { startTime: start }),
    ...(end !== undefined && { endTime: end }),
    ...(kind !== 'once' && {
      repeat: {
        cron: cronOf(draft),
        timeZone,
        durationMinutes: Number((parseDuration(duration.replaceAll(' ', '')) ?? MINUTE) / MINUTE),
      },
    }),
  };
}
