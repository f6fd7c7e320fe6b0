import { civilFromDays, secondsPerDay } from './calendar.js';

/**
 * Nanoseconds since the epoch as RFC 3339 in UTC, the fraction without trailing zeros:
 * `2006-01-02T15:04:05.12Z`.
 * @throws RangeError outside the years 0000–9999, which four digits cannot write.
 */
export function formatRfc3339(nanoseconds: bigint): string {
  let seconds = Number(nanoseconds / 1_000_000_000n);
  let fraction = Number(nanoseconds % 1_000_000_000n);
  if (fraction < 0) {
    fraction += 1_000_000_000;
    seconds--;
  }
  const days = Math.floor(seconds / secondsPerDay);
  const inDay = seconds - days * secondsPerDay;
  const { year, month, day } = civilFromDays(days);
  if (year < 0 || year > 9999) throw new RangeError(`${nanoseconds} ns lies outside the years 0000 to 9999`);
  const date = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
  const time = `${two(Math.floor(inDay / 3600))}:${two(Math.floor(inDay / 60) % 60)}:${two(inDay % 60)}`;
  return `${date}T${time}${fraction === 0 ? '' : `.${String(fraction).padStart(9, '0').replace(/0+$/, '')}`}Z`;
}

function two(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}
