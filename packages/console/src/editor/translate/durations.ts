import type { Expression } from './expressions.js';

/** Units of durations in other languages, with their unit in APL. */
const UNITS: Readonly<Record<string, string>> = {
  ms: 'ms',
  millisecond: 'ms',
  s: 's',
  sec: 's',
  second: 's',
  m: 'm',
  min: 'm',
  mon: '',
  minute: 'm',
  h: 'h',
  hr: 'h',
  hour: 'h',
  d: 'd',
  day: 'd',
};

/** `5 minutes`, `5m` and `1 week` in APL; undefined for months and years, which vary. */
export function durationText(text: string): string | undefined {
  const [, amount = '1', word] = /^\s*(\d+)?\s*([a-z]+)\s*$/i.exec(text) ?? [];
  if (word === undefined) return undefined;
  const unit = word.toLowerCase();
  const name = unit.length > 2 ? unit.replace(/s$/, '') : unit;
  if (name === 'week' || name === 'w') return `${Number(amount) * 7}d`;
  const known = Object.hasOwn(UNITS, name) ? UNITS[name]! : '';
  return known === '' ? undefined : `${amount}${known}`;
}

/** Starts of calendar units, which differ in length or are not counted from an epoch. */
const STARTS: Readonly<Record<string, string>> = { week: 'startofweek', month: 'startofmonth', year: 'startofyear' };

/** The start of the unit that a time is in; undefined for other units. */
export function startOfUnit(unit: string, time: Expression): string | undefined {
  const name = unit.toLowerCase();
  if (Object.hasOwn(STARTS, name)) return `${STARTS[name]}(${time.apl})`;
  const size = durationText(name);
  return size === undefined ? undefined : `bin(${time.apl}, ${size})`;
}
