/** Cron expressions with five fields: minute, hour, day of the month, month, day of the week. */

interface Cron {
  readonly minutes: ReadonlySet<number>;
  readonly hours: ReadonlySet<number>;
  readonly days: ReadonlySet<number>;
  readonly months: ReadonlySet<number>;
  readonly weekdays: ReadonlySet<number>;
  /** Both day fields are restricted: one of them has to match. */
  readonly eitherDay: boolean;
}

/** A cron expression that cannot be read. */
export class CronError extends Error {}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

interface Field {
  readonly title: string;
  readonly low: number;
  readonly high: number;
  /** Names of the values from `low` on. */
  readonly names?: readonly string[];
}

const fields = [
  { title: 'minute', low: 0, high: 59 },
  { title: 'hour', low: 0, high: 23 },
  { title: 'day of the month', low: 1, high: 31 },
  { title: 'month', low: 1, high: 12, names: months },
  // Sunday is 0 and 7.
  { title: 'day of the week', low: 0, high: 7, names: weekdays },
] as const satisfies readonly Field[];

/** @throws CronError */
export function parseCron(text: string): Cron {
  const parts = text.trim().split(/\s+/);
  if (parts.length !== fields.length)
    throw new CronError(`'${text}' has ${parts.length} fields; a cron expression has 5, such as '0 22 * * sat'`);
  const [minutes, hours, days, ofYear, ofWeek] = fields.map((field, i) => valuesOf(parts[i]!, field)) as [
    Set<number>,
    Set<number>,
    Set<number>,
    Set<number>,
    Set<number>,
  ];
  if (ofWeek.has(7)) ofWeek.add(0);
  const eitherDay = !parts[2]!.startsWith('*') && !parts[4]!.startsWith('*');
  return { minutes, hours, days, months: ofYear, weekdays: ofWeek, eitherDay };
}

/** Whether a minute matches. @param local the local time, written as UTC */
export function matchesCron(cron: Cron, local: number): boolean {
  const date = new Date(local);
  return cron.minutes.has(date.getUTCMinutes()) && cron.hours.has(date.getUTCHours()) && matchesDay(cron, local);
}

/** Whether the day of a time matches. @param local the local time, written as UTC */
export function matchesDay(cron: Cron, local: number): boolean {
  const date = new Date(local);
  if (!cron.months.has(date.getUTCMonth() + 1)) return false;
  const isDay = cron.days.has(date.getUTCDate());
  const isWeekday = cron.weekdays.has(date.getUTCDay());
  return cron.eitherDay ? isDay || isWeekday : isDay && isWeekday;
}

function valuesOf(part: string, field: Field): Set<number> {
  const values = new Set<number>();
  for (const item of part.split(',')) {
    const [range = '', step, ...more] = item.split('/');
    const every = step === undefined ? 1 : Number(step);
    if (more.length > 0 || !Number.isInteger(every) || every < 1) throw problem(item, field);
    const [from, to] = rangeOf(range, step !== undefined, field);
    if (from > to) throw problem(item, field);
    for (let value = from; value <= to; value += every) values.add(value);
  }
  return values;
}

function rangeOf(range: string, hasStep: boolean, field: Field): readonly [number, number] {
  if (range === '*') return [field.low, field.high];
  const [first = '', last, ...more] = range.split('-');
  if (more.length > 0) throw problem(range, field);
  const from = valueOf(first, field);
  return [from, last === undefined ? (hasStep ? field.high : from) : valueOf(last, field)];
}

function valueOf(text: string, field: Field): number {
  const named = field.names?.indexOf(text.toLowerCase()) ?? -1;
  const value = named >= 0 ? named + field.low : /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= field.low && value <= field.high)) throw problem(text, field);
  return value;
}

const problem = (text: string, { title, low, high }: Field): CronError =>
  new CronError(`'${text}' cannot be the ${title}, which is from ${low} to ${high}`);
