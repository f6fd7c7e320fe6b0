import type { SyslogOptions } from './parse.js';
import { parseZone } from './zones.js';

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const day = 86_400_000;

/** A time at the start of a text, and the rest of the text. */
interface LocalTime {
  /** In a format that the encoder accepts. */
  readonly time: string;
  readonly rest: string;
}

const clock = String.raw`(?<clock>\d\d:\d\d:\d\d)(?:[.,](?<fraction>\d+))?`;
/**
 * Known zones, and words before ` %`: owners of Cisco routers name zones as they like. Cisco
 * firewalls have their own name there.
 */
const zone = String.raw`(?: ?(?<offset>[+-]\d\d:?\d\d)(?=[ :])| +(?<zone>[A-Z]{1,5})(?=:? )| +(?<owners>[A-Za-z][\w/+-]*)(?=: %(?!ASA|FTD|PIX)))?`;
const end = String.raw`:?(?: +|$)`;
const forms = [
  // 2026-09-21T14:13:20.5Z
  new RegExp(String.raw`^(?<year>\d{4})[-/](?<number>\d\d)[-/](?<date>\d\d)[T ]${clock}(?:(?<utc>Z)|${zone})${end}`),
  // 2026:09:21-14:13:20 of Sophos
  new RegExp(String.raw`^(?<year>\d{4}):(?<number>\d\d):(?<date>\d\d)-${clock}${end}`),
  // Sep 21 14:13:20, optionally with the day of the week, a year in one of three places, and a
  // zone.
  new RegExp(
    String.raw`^(?:[A-Z][a-z]{2},? +)?(?:(?<year>\d{4}) +)?(?<month>[A-Z][a-z]{2}) +(?<date>\d{1,2}),? +(?:(?<year2>\d{4}) +)?${clock}(?: +(?<year3>\d{4})(?=:? ))?${zone}(?: +(?<year4>\d{4})(?=:? ))?${end}`,
  ),
] as const;

/**
 * Parses the time at the start of a text, with its zone and year. Without a year, assumes the one
 * that puts it nearest to its arrival, at most a day ahead. Without a known zone, assumes the
 * listener's.
 * @returns undefined if the text does not start with a time
 */
export function localTime(text: string, { arrival, zone: defaultZone }: SyslogOptions): LocalTime | undefined {
  const match = forms.map((form) => form.exec(text)).find((found) => found !== null);
  const parts = match?.groups;
  if (match === undefined || parts === undefined) return undefined;
  const month = parts['month'] === undefined ? Number(parts['number']) : months.indexOf(parts['month']) + 1;
  if (month === 0) return undefined;
  const named = parts['utc'] ?? parts['offset'] ?? parts['zone'];
  const known = named === undefined ? undefined : parseZone(named);
  const minutes = known ?? defaultZone;
  const date = parts['date']!.padStart(2, '0');
  const at = (year: number): number =>
    Date.parse(`${year}-${padTwo(month)}-${date}T${parts['clock']}Z`) - minutes * 60_000;
  const year = parts['year'] ?? parts['year2'] ?? parts['year3'] ?? parts['year4'] ?? nearestYear(at, arrival);
  const fraction = parts['fraction'] === undefined ? '' : `.${parts['fraction']}`;
  const behind = text.slice(match[0].length);
  // A word in capital letters that is no zone is a host, unless a colon follows it.
  const isHost = parts['zone'] !== undefined && known === undefined && !match[0].trimEnd().endsWith(':');
  return {
    time: `${year}-${padTwo(month)}-${date}T${parts['clock']}${fraction}${parts['utc'] ?? offset(minutes)}`,
    rest: isHost ? `${parts['zone']} ${behind}` : behind,
  };
}

const padTwo = (value: number): string => String(value).padStart(2, '0');

function nearestYear(at: (year: number) => number, arrival: number): number {
  const present = new Date(arrival).getUTCFullYear();
  return [present + 1, present, present - 1].find((year) => at(year) <= arrival + day) ?? present;
}

function offset(minutes: number): string {
  const size = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${padTwo(Math.floor(size / 60))}:${padTwo(size % 60)}`;
}
