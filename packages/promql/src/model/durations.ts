/** Durations of the language, such as `1h30m`. */

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const units: Readonly<Record<string, number>> = {
  y: 365 * day,
  w: 7 * day,
  d: day,
  h: hour,
  m: minute,
  s: second,
  ms: 1,
};

const whole = /^(?:(\d+)y)?(?:(\d+)w)?(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m(?!s))?(?:(\d+)s)?(?:(\d+)ms)?$/;

/** Milliseconds; undefined for a text that is no duration. */
export function parseDuration(text: string): number | undefined {
  const parts = text === '' ? null : whole.exec(text);
  if (parts === null) return undefined;
  return Object.values(units).reduce((sum, unit, i) => sum + Number(parts[i + 1] ?? 0) * unit, 0);
}

const special: Readonly<Record<string, number>> = { inf: Infinity, nan: Number.NaN };

/** A number as the language writes it; undefined for another text. A duration counts seconds. */
export function parseNumber(text: string): number | undefined {
  const [, sign = '', digits = ''] = /^([+-]?)\s*(.*)$/s.exec(text) ?? [];
  const value = special[digits.toLowerCase()] ?? plainNumber(digits.replaceAll('_', ''));
  return value === undefined ? undefined : sign === '-' ? -value : value;
}

function plainNumber(digits: string): number | undefined {
  const milliseconds = parseDuration(digits);
  if (milliseconds !== undefined) return milliseconds / 1000;
  // A leading zero makes an integer octal.
  if (/^0[0-7]+$/.test(digits)) return Number.parseInt(digits, 8);
  const value = digits === '' ? Number.NaN : Number(digits);
  return Number.isNaN(value) ? undefined : value;
}
