/** Instants as nanoseconds since the epoch, in bigints: they exceed the precision of numbers. */

export const MILLISECOND = 1_000_000n;
export const SECOND = 1000n * MILLISECOND;
export const MINUTE = 60n * SECOND;
export const HOUR = 60n * MINUTE;
export const DAY = 24n * HOUR;

const units: readonly (readonly [name: string, length: bigint])[] = [
  ['ns', 1n],
  ['us', 1000n],
  ['µs', 1000n],
  ['ms', MILLISECOND],
  ['s', SECOND],
  ['m', MINUTE],
  ['h', HOUR],
  ['d', DAY],
  ['w', 7n * DAY],
];

const PART = /(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h|d|w)/g;

/** `1h30m` → nanoseconds; undefined if it is not a duration. */
export function parseDuration(text: string): bigint | undefined {
  if (!/^(?:\d+(?:\.\d+)?(?:ns|us|µs|ms|s|m|h|d|w))+$/.test(text)) return undefined;
  let total = 0n;
  for (const [, amount = '', unit = ''] of text.matchAll(PART)) {
    const length = units.find(([name]) => name === unit)![1];
    const [whole = '0', fraction = ''] = amount.split('.');
    total +=
      BigInt(whole) * length + (fraction === '' ? 0n : (BigInt(fraction) * length) / 10n ** BigInt(fraction.length));
  }
  return total;
}

/** Shortest exact notation of a duration: `90s`, `6h`. */
export function durationText(nanoseconds: bigint): string {
  for (const [name, length] of units.toReversed())
    if (name !== 'µs' && name !== 'w' && nanoseconds % length === 0n) return `${nanoseconds / length}${name}`;
  return '0s';
}

const RFC3339 = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.(\d{1,9})\d*)?(Z|[+-]\d\d:\d\d)$/i;

/** RFC 3339 → nanoseconds, with all digits. */
export function parseInstant(text: string): bigint | undefined {
  const [, day, time, fraction = '', offset = ''] = RFC3339.exec(text) ?? [];
  if (day === undefined) return undefined;
  const milliseconds = Date.parse(`${day}T${time}${offset.toUpperCase()}`);
  return Number.isNaN(milliseconds) ? undefined : BigInt(milliseconds) * MILLISECOND + BigInt(fraction.padEnd(9, '0'));
}

const floorDivide = (a: bigint, b: bigint): bigint => (a >= 0n ? a / b : (a - b + 1n) / b);

/** Nanoseconds → RFC 3339 in UTC, with the digits it needs. */
export function instantText(nanoseconds: bigint): string {
  const seconds = floorDivide(nanoseconds, SECOND);
  const fraction = String(nanoseconds - seconds * SECOND)
    .padStart(9, '0')
    .replace(/0+$/, '');
  const date = new Date(Number(seconds) * 1000).toISOString().slice(0, 19);
  return `${date}${fraction === '' ? '' : `.${fraction}`}Z`;
}

export const nowInstant = (): bigint => BigInt(Date.now()) * MILLISECOND;

/**
 * Resolves an end of a range: `now-1h`, RFC 3339, or a day, which starts in UTC as on the server.
 */
export function resolveInstant(text: string, now: bigint): bigint | undefined {
  if (text === 'now') return now;
  const [, sign, duration = ''] = /^now([-+])(.+)$/.exec(text) ?? [];
  if (sign === undefined) return parseInstant(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text);
  const length = parseDuration(duration);
  return length === undefined ? undefined : sign === '-' ? now - length : now + length;
}
