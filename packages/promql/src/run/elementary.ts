/** Functions of single values. */

type Elementary = (value: number, ...scalars: readonly number[]) => number | undefined;

const degrees = 180 / Math.PI;

/** Halves are rounded up; the inverse avoids errors such as 5.1000000000000005. */
function round(value: number, to = 1): number {
  const perUnit = 1 / to;
  return Math.floor(value * perUnit + 0.5) / perUnit;
}

const clamp = (value: number, min: number, max: number): number =>
  // NaN stays, and so does a bound that is NaN.
  Math.max(min, Math.min(max, value));

export const elementary = {
  abs: Math.abs,
  ceil: Math.ceil,
  floor: Math.floor,
  round: (value, to) => round(value, to),
  sgn: (value) => (value < 0 ? -1 : value > 0 ? 1 : value),
  sqrt: Math.sqrt,
  exp: Math.exp,
  ln: Math.log,
  log2: Math.log2,
  log10: Math.log10,
  sin: Math.sin,
  cos: Math.cos,
  tan: Math.tan,
  asin: Math.asin,
  acos: Math.acos,
  atan: Math.atan,
  sinh: Math.sinh,
  cosh: Math.cosh,
  tanh: Math.tanh,
  asinh: Math.asinh,
  acosh: Math.acosh,
  atanh: Math.atanh,
  deg: (value) => value * degrees,
  rad: (value) => value / degrees,
  clamp: (value, min, max) => (min! > max! ? undefined : clamp(value, min!, max!)),
  clamp_min: (value, min) => clamp(value, min!, Infinity),
  clamp_max: (value, max) => clamp(value, -Infinity, max!),
} as const satisfies Readonly<Record<string, Elementary>>;

const date =
  (part: (date: Date) => number): Elementary =>
  (seconds) =>
    Number.isFinite(seconds) ? part(new Date(seconds * 1000)) : Number.NaN;

const dayMilliseconds = 86_400_000;

/** Parts of a time, seconds since the epoch, in UTC. */
export const dateParts = {
  minute: date((at) => at.getUTCMinutes()),
  hour: date((at) => at.getUTCHours()),
  day_of_week: date((at) => at.getUTCDay()),
  day_of_month: date((at) => at.getUTCDate()),
  day_of_year: date((at) => Math.floor((at.getTime() - Date.UTC(at.getUTCFullYear(), 0, 1)) / dayMilliseconds) + 1),
  days_in_month: date((at) => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate()),
  month: date((at) => at.getUTCMonth() + 1),
  year: date((at) => at.getUTCFullYear()),
} as const satisfies Readonly<Record<string, Elementary>>;
