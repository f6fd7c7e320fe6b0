import { civilFromDays, daysFromCivil } from '../calendar.js';

/** Writes a time in a layout, for tests that write timestamps and read them back. */
export function formatLayout(
  layout: string,
  nanoseconds: bigint,
  zone: { readonly name: string; readonly hours: number },
): string {
  const seconds = Number(nanoseconds / 1_000_000_000n) + zone.hours * 3600;
  const days = Math.floor(seconds / 86_400);
  const inDay = seconds - days * 86_400;
  const { year, month, day } = civilFromDays(days);
  const hour = Math.floor(inDay / 3600);
  const weekday = weekdays[(((days + 4) % 7) + 7) % 7]!;
  const sign = zone.hours < 0 ? '-' : '+';
  const offset = pad(Math.abs(zone.hours), 2);
  const written: Readonly<Record<string, string>> = {
    '2006': pad(year, 4),
    '06': pad(year % 100, 2),
    '01': pad(month, 2),
    '1': String(month),
    Jan: months[month - 1]!.slice(0, 3),
    January: months[month - 1]!,
    '02': pad(day, 2),
    '2': String(day),
    _2: String(day).padStart(2),
    '002': pad(days - daysFromCivil(year, 1, 1) + 1, 3),
    Mon: weekday.slice(0, 3),
    Monday: weekday,
    '15': pad(hour, 2),
    '3': String(hour % 12 || 12),
    PM: hour < 12 ? 'AM' : 'PM',
    '04': pad(Math.floor(inDay / 60) % 60, 2),
    '05': pad(inDay % 60, 2),
    MST: zone.name,
    '-0700': `${sign}${offset}00`,
    '-07:00': `${sign}${offset}:00`,
    '-07': `${sign}${offset}`,
  };
  return layout.replace(elements, (element) => written[element]!);
}

const elements = /January|Jan|Monday|Mon|MST|2006|002|01|02|04|05|06|15|_2|-07:00|-0700|-07|PM|[123]/g;
const months = 'January February March April May June July August September October November December'.split(' ');
const weekdays = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');

function pad(value: number, digits: number): string {
  return String(value).padStart(digits, '0');
}
