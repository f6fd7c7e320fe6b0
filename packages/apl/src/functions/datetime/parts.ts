import { call, integer } from '@millrace/sql';
import { param, unary } from '../define.js';
import type { FunctionRecord } from '../define.js';
import { partReaders } from './arithmetic.js';

const ofTime = unary(param('datetime', 'datetime'));

/** Functions named after the part of a datetime that they read. */
export const datetimeParts: readonly FunctionRecord[] = [
  ofTime('getyear', 'The calendar year.', 'long', partReaders.year, [
    { apl: 'getyear(datetime(2024-05-01))', gives: 2024 },
    { apl: 'getyear(datetime(1699-12-31))', gives: 1699 },
  ]),
  {
    ...ofTime('monthofyear', 'The month, from 1 to 12.', 'long', partReaders.month, [
      { apl: 'monthofyear(datetime(2024-05-01))', gives: 5 },
      { apl: 'getmonth(datetime(2024-12-31 23:59:59))', gives: 12 },
      // A text in a dynamic is read as todatetime reads it.
      { apl: 'getmonth(todynamic(\'{"t":"03/04/2024"}\').t)', gives: 3 },
      { apl: 'getmonth(todynamic(\'{"t":"Jan 5"}\').t)', gives: null },
    ]),
    aliases: ['getmonth'],
  },
  ofTime('dayofmonth', 'The day of the month, from 1 to 31.', 'long', partReaders.day, [
    { apl: 'dayofmonth(datetime(2024-02-29))', gives: 29 },
    { apl: 'dayofmonth(datetime(1677-09-22))', gives: 22 },
  ]),
  ofTime('dayofyear', 'The day of the year, from 1 to 366.', 'long', partReaders.dayOfYear, [
    { apl: 'dayofyear(datetime(2024-12-31))', gives: 366 },
    { apl: 'dayofyear(datetime(1900-03-01))', gives: 60 },
  ]),
  ofTime(
    'dayofweek',
    'Days since Sunday, from 0 to 6.',
    'long',
    (time) => call('modulo', call('toDayOfWeek', time), integer(7)),
    [
      { apl: 'dayofweek(datetime(2024-01-14))', gives: 0 },
      { apl: 'dayofweek(datetime(2024-01-13))', gives: 6 },
      { apl: 'dayofweek(datetime(1969-12-31))', gives: 3 },
    ],
  ),
  ofTime('hourofday', 'The hour, from 0 to 23.', 'long', partReaders.hour, [
    { apl: 'hourofday(datetime(2024-05-01 23:59:59))', gives: 23 },
    { apl: 'hourofday(datetime(1969-12-31 05:00))', gives: 5 },
  ]),
  ofTime('week_of_year', 'The ISO 8601 week, from 1 to 53; weeks begin on Monday.', 'long', partReaders.week_of_year, [
    { apl: 'week_of_year(datetime(2020-12-31))', gives: 53 },
    { apl: 'week_of_year(datetime(2021-01-04))', gives: 1 },
  ]),
];
