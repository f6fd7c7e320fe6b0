/** Number formats: in the unit of an element, or short. */

/** From here on only the number of digits is readable. */
const VAST = 1e15;

const plain = (value: number, decimals: number | undefined): string =>
  value.toLocaleString('en', {
    ...(Math.abs(value) >= VAST && { notation: 'scientific' }),
    maximumFractionDigits:
      decimals ?? (Math.abs(value) >= VAST ? 2 : Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 1 ? 2 : 4),
    ...(decimals !== undefined && { minimumFractionDigits: decimals }),
  });

const scaleUnit =
  (factor: number, names: readonly string[], base = 0, suffix = '') =>
  (value: number, decimals?: number): string => {
    let [step, rest] = [base, value];
    while (Math.abs(rest) >= factor && step < names.length - 1) {
      rest /= factor;
      step++;
    }
    return `${plain(rest, decimals)} ${names[step]}${suffix}`.trimEnd();
  };

const BYTES = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];
const BITS = ['bit', 'kbit', 'Mbit', 'Gbit', 'Tbit'];
const SHORT = ['', 'k', 'M', 'G', 'T', 'P'];

const TIMES: readonly (readonly [name: string, nanoseconds: number])[] = [
  ['ns', 1],
  ['µs', 1e3],
  ['ms', 1e6],
  ['s', 1e9],
  ['min', 60e9],
  ['h', 3600e9],
  ['d', 86_400e9],
];

const time =
  (unit: number) =>
  (value: number, decimals?: number): string => {
    if (value === 0) return '0';
    const nanoseconds = value * unit;
    const [name, length] = TIMES.findLast(([, length]) => Math.abs(nanoseconds) >= length) ?? TIMES[0]!;
    return `${plain(nanoseconds / length, decimals)} ${name}`;
  };

const currency = (code: string) => (value: number, decimals?: number) =>
  value.toLocaleString('en', {
    style: 'currency',
    currency: code,
    ...(decimals !== undefined && { minimumFractionDigits: decimals, maximumFractionDigits: decimals }),
  });

const date = (value: number): string => {
  const found = new Date(value);
  return Number.isNaN(found.getTime()) ? plain(value, undefined) : found.toISOString().slice(0, 19).replace('T', ' ');
};

type Write = (value: number, decimals?: number) => string;

/** Units by their name in documents. */
const units: Readonly<Record<string, Write>> = {
  Auto: plain as Write,
  Abbreviated: scaleUnit(1000, SHORT),
  ...Object.fromEntries(
    ['Byte', 'Kilobyte', 'Megabyte', 'Gigabyte'].map((name, step) => [name, scaleUnit(1000, BYTES, step)]),
  ),
  ...Object.fromEntries(
    ['BytesSec', 'KilobytesSec', 'MegabytesSec', 'GigabytesSec'].map((name, step) => [
      name,
      scaleUnit(1000, BYTES, step, '/s'),
    ]),
  ),
  BitsSec: scaleUnit(1000, BITS, 0, '/s'),
  TimeNS: time(1),
  TimeUS: time(1e3),
  TimeMS: time(1e6),
  TimeSec: time(1e9),
  TimeMin: time(60e9),
  TimeHour: time(3600e9),
  TimeDay: time(86_400e9),
  Percent100: (value, decimals) => `${plain(value, decimals)}%`,
  ...Object.fromEntries(
    ['USD', 'EUR', 'GBP', 'CAD', 'AUD', 'JPY', 'INR', 'CZK', 'PLN'].map((code) => [`Currency${code}`, currency(code)]),
  ),
  DateDateTime: date,
  DateFromNow: date,
  DateYYYYMMDDHHmmss: date,
};

export const unitNames: readonly string[] = Object.keys(units);

const titles: Readonly<Record<string, string>> = {
  Auto: 'Automatic',
  Abbreviated: 'Short (k, M, G)',
  TimeNS: 'nanoseconds',
  TimeUS: 'microseconds',
  TimeMS: 'milliseconds',
  TimeSec: 'seconds',
  TimeMin: 'minutes',
  TimeHour: 'hours',
  TimeDay: 'days',
  Percent100: 'percent (0 to 100)',
  DateDateTime: 'date and time',
  DateFromNow: 'time from now',
  DateYYYYMMDDHHmmss: 'date and time (year first)',
};

/** Name of a unit in words: `BytesSec` is `bytes per second`. */
export function unitTitle(unit: string): string {
  const title = titles[unit];
  if (title !== undefined) return title;
  const currency = /^Currency([A-Z]{3})$/.exec(unit)?.[1];
  if (currency !== undefined)
    return `${new Intl.DisplayNames('en', { type: 'currency' }).of(currency) ?? currency} (${currency})`;
  const [, amount, second] = /^(\w+?)s?(Sec)?$/.exec(unit) ?? [];
  return `${(amount ?? unit).toLowerCase()}s${second === undefined ? '' : ' per second'}`;
}

/** Formats a number in a unit of the table, or with a custom suffix. */
export function numberText(value: number, unit?: string, custom?: string, decimals?: number): string {
  const write = unit === undefined ? undefined : units[unit];
  if (write !== undefined) return write(value, decimals);
  return `${plain(value, decimals)}${custom === undefined ? '' : ` ${custom}`}`;
}
