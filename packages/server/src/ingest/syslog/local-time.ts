import type { SyslogOptions } from './parse.js';

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const day = 86_400_000;

/**
 * A time of RFC 3164 with its zone and year. Without a year it is in the one that puts it nearest
 * to its arrival, at most a day ahead of it.
 * @returns undefined if it is none
 */
export function localTime(text: string, { arrival, zone }: SyslogOptions): string | undefined {
  const iso = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d(?:\.\d+)?)(Z|[+-]\d\d:?\d\d)?$/.exec(text);
  if (iso !== null) return `${iso[1]}T${iso[2]}${iso[3] ?? offset(zone)}`;
  const match = /^(\w{3}) +(\d{1,2}) +(?:(\d{4}) +)?(\d\d):(\d\d):(\d\d)(\.\d+)?(?: +(\d{4}))?$/.exec(text);
  if (match === null) return undefined;
  const [, name, date, before, hours, minutes, seconds, fraction = '', after] = match;
  const month = months.indexOf(name!);
  if (month < 0) return undefined;
  const at = (year: number): number =>
    Date.UTC(year, month, Number(date), Number(hours), Number(minutes), Number(seconds)) - zone * 60_000;
  const year = before ?? after ?? nearestYear(at, arrival);
  const digits = (value: number | string | undefined): string => String(value).padStart(2, '0');
  return `${year}-${digits(month + 1)}-${digits(date)}T${hours}:${minutes}:${seconds}${fraction}${offset(zone)}`;
}

function nearestYear(at: (year: number) => number, arrival: number): number {
  const present = new Date(arrival).getUTCFullYear();
  return [present + 1, present, present - 1].find((year) => at(year) <= arrival + day) ?? present;
}

function offset(minutes: number): string {
  const size = Math.abs(minutes);
  const digits = (value: number): string => String(value).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${digits(Math.floor(size / 60))}:${digits(size % 60)}`;
}
