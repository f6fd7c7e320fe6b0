import type { Plain } from '../functions.js';

const MILLISECOND = 1_000_000n;
const DAY = 86_400_000n * MILLISECOND;

const dayOf = (instant: bigint): bigint => (instant - (((instant % DAY) + DAY) % DAY)) / DAY;
const dateOf = (instant: bigint): Date => new Date(Number(dayOf(instant)) * 86_400_000);
const startOf = (year: number, month: number, day: number): bigint => BigInt(Date.UTC(year, month, day)) * MILLISECOND;

const part = (of: (date: Date, instant: bigint) => number): readonly Plain[] => [
  { params: ['datetime'], returns: 'long', of: (instant: bigint) => BigInt(of(dateOf(instant), instant)) },
];
const start = (of: (date: Date) => bigint): readonly Plain[] => [
  { params: ['datetime'], returns: 'datetime', of: (instant: bigint) => of(dateOf(instant)) },
];

const hour = (instant: bigint): number => Number((instant - dayOf(instant) * DAY) / (3_600_000n * MILLISECOND));

const unit: Readonly<Record<string, (instant: bigint) => bigint>> = {
  day: dayOf,
  hour: (instant) => dayOf(instant) * 24n + BigInt(hour(instant)),
  month: (instant) => BigInt(dateOf(instant).getUTCFullYear() * 12 + dateOf(instant).getUTCMonth()),
  year: (instant) => BigInt(dateOf(instant).getUTCFullYear()),
};

/** The same day some months later, or the last day of that month if it has no such day. */
function monthsLater(instant: bigint, months: bigint): bigint {
  const date = dateOf(instant);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + Number(months)];
  const days = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return startOf(year, month, Math.min(date.getUTCDate(), days)) + (instant - dayOf(instant) * DAY);
}

/** The last tenth of a microsecond before a time. */
const before = (instant: bigint): bigint => instant - 100n;

/** The ISO week of the Thursday between Monday and Sunday. */
function isoWeek(instant: bigint): number {
  const thursday = dayOf(instant) + 4n - BigInt((dateOf(instant).getUTCDay() + 6) % 7) - 1n;
  const date = new Date(Number(thursday) * 86_400_000);
  return Number((thursday - startOf(date.getUTCFullYear(), 0, 1) / DAY) / 7n) + 1;
}

const ofUnits = (unit: bigint): readonly Plain[] => [
  { params: ['long'], returns: 'datetime', of: (count: bigint) => count * unit },
];

const parts: Readonly<Record<string, (date: Date, instant: bigint) => number>> = {
  year: (date) => date.getUTCFullYear(),
  quarter: (date) => Math.floor(date.getUTCMonth() / 3) + 1,
  month: (date) => date.getUTCMonth() + 1,
  week_of_year: (_, instant) => isoWeek(instant),
  day: (date) => date.getUTCDate(),
  hour: (_, instant) => hour(instant),
  minute: (_, instant) => Number((instant - dayOf(instant) * DAY) / (60_000n * MILLISECOND)) % 60,
  second: (_, instant) => Number((instant - dayOf(instant) * DAY) / (1_000n * MILLISECOND)) % 60,
};

/** Functions of time, in UTC; weeks begin on Sunday. */
export const timeFunctions: Readonly<Record<string, readonly Plain[]>> = {
  getyear: part((date) => date.getUTCFullYear()),
  monthofyear: part((date) => date.getUTCMonth() + 1),
  dayofmonth: part((date) => date.getUTCDate()),
  dayofyear: part((date, instant) => Number(dayOf(instant) - startOf(date.getUTCFullYear(), 0, 1) / DAY) + 1),
  dayofweek: part((date) => date.getUTCDay()),
  hourofday: part((_, instant) => hour(instant)),
  startofday: start((date) => startOf(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate())),
  startofweek: start((date) =>
    startOf(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() - date.getUTCDay()),
  ),
  startofmonth: start((date) => startOf(date.getUTCFullYear(), date.getUTCMonth(), 1)),
  startofyear: start((date) => startOf(date.getUTCFullYear(), 0, 1)),
  endofday: start((date) => before(startOf(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + 1))),
  endofweek: start((date) =>
    before(startOf(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() - date.getUTCDay() + 7)),
  ),
  endofmonth: start((date) => before(startOf(date.getUTCFullYear(), date.getUTCMonth() + 1, 1))),
  endofyear: start((date) => before(startOf(date.getUTCFullYear() + 1, 0, 1))),
  week_of_year: part((_, instant) => isoWeek(instant)),
  datetime_part: [
    {
      params: ['string', 'datetime'],
      returns: 'long',
      of: (name: string, instant: bigint) => BigInt(parts[name]!(dateOf(instant), instant)),
    },
  ],
  unixtime_seconds_todatetime: ofUnits(1_000n * MILLISECOND),
  unixtime_milliseconds_todatetime: ofUnits(MILLISECOND),
  unixtime_microseconds_todatetime: ofUnits(MILLISECOND / 1_000n),
  datetime_diff: [
    {
      params: ['string', 'datetime', 'datetime'],
      returns: 'long',
      of: (name: string, a: bigint, b: bigint) => unit[name]!(a) - unit[name]!(b),
    },
  ],
  datetime_add: [
    {
      params: ['string', 'long', 'datetime'],
      returns: 'datetime',
      of: (name: string, amount: bigint, instant: bigint) =>
        name === 'day' ? instant + amount * DAY : monthsLater(instant, name === 'year' ? amount * 12n : amount),
    },
  ],
};
