import type { Monitor, Silence } from '../../../data/alerts.js';
import { wordsOfMinutes } from '../../../data/format-units.js';
import { minuteText } from '../../../data/time/read-time.js';
import { type Weekday, weekdays, weeklyIn } from './silence-draft.js';

/** Describes silences for display. */

export const silenceStates = ['active', 'upcoming', 'ended'] as const;
export type SilenceState = (typeof silenceStates)[number];

export function silenceState({ active, nextStart }: Pick<Silence, 'active' | 'nextStart'>): SilenceState {
  return active ? 'active' : nextStart === undefined ? 'ended' : 'upcoming';
}

export const dayTitles: Readonly<Record<Weekday, string>> = {
  mon: 'Mon',
  tue: 'Tue',
  wed: 'Wed',
  thu: 'Thu',
  fri: 'Fri',
  sat: 'Sat',
  sun: 'Sun',
};

/** `Sat, Sun at 22:00 Europe/Berlin for 2 h`, `2026-11-20 10:00 – 11:00`. */
export function whenText(
  { startTime, endTime, repeat }: Pick<Silence, 'startTime' | 'endTime' | 'repeat'>,
  zone: string,
): string {
  if (repeat === undefined) {
    const [start, end] = [minuteText(startTime, zone), endTime === undefined ? '' : minuteText(endTime, zone)];
    return `${start} – ${end.slice(0, 10) === start.slice(0, 10) ? end.slice(11) : end}`;
  }
  const weekly = weeklyIn(repeat.cron);
  const start =
    weekly === undefined
      ? repeat.cron
      : `${weekly.days.length === weekdays.length ? 'Daily' : weekly.days.map((day) => dayTitles[day]).join(', ')} at ${weekly.clock}`;
  const until = endTime === undefined ? '' : `, until ${minuteText(endTime, zone)}`;
  return `${start} ${repeat.timeZone ?? 'UTC'} for ${wordsOfMinutes(repeat.durationMinutes)}${until}`;
}

type Subject = Pick<Silence, 'monitorIds' | 'labels'>;

/** Monitors that a silence is about. A silence by groups alone is about all. */
export const silencedMonitors = (
  { monitorIds, labels = {} }: Subject,
  monitors: readonly Monitor[],
): readonly Monitor[] =>
  monitors.filter(
    ({ id, labels: own = {} }) =>
      (monitorIds === undefined || monitorIds.length === 0 || monitorIds.includes(id)) &&
      Object.entries(labels).every(([name, value]) => own[name] === value),
  );
