import { call, column, integer, lambda, literal } from '@millrace/sql';
import type { Expr, LiteralValue } from '@millrace/sql';
import { parseTimestampText } from '@millrace/timestamps';
import { shareSubexpression } from '../../lower/shared-subexpressions.js';
import { parsedInstant } from '../../lower/times/parsed-instant.js';
import { instant, int64OrNull, nullOf } from '../../lower/values.js';
import { DECIMALS, scaleToNanoseconds } from '../../syntax/lexing/timespan.js';
import { defineOverload, param } from '../define.js';
import type { FunctionRecord, LoweredArgument } from '../define.js';
import { contentOf, fromJson, holdsText } from '../json-text.js';
import { truncatedReal, wholeNumber } from './numbers.js';
import { fitsInt64 } from '../../model/int64.js';
import { DAY, HOUR, MICROSECOND, MILLISECOND, MINUTE, SECOND } from '../../model/nanoseconds.js';

const fromReal = (real: Expr): Expr => instant(truncatedReal(real));

function toDatetime(value: LoweredArgument): Expr {
  const { sql, type } = value;
  switch (type) {
    case 'datetime':
      return sql;
    case 'long':
    case 'timespan':
      return instant(sql);
    case 'real':
      return fromReal(sql);
    case 'string':
      return parsedInstant(sql);
    case 'bool':
      return nullOf('datetime');
    case 'dynamic':
    case 'array':
    case 'bag':
      return shareSubexpression(sql, (json) =>
        call('if', holdsText(json), parsedInstant(contentOf(json)), instant(wholeNumber(json))),
      );
  }
}

const NUMBER = '(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)';
const UNIT = '(?:ns|us|µs|μs|ms|s|m|h|d)';
const DURATION = `^[+-]?(?:0|(?:${NUMBER}${UNIT})+)$`;
const DURATION_PARTS = '([0-9]*)(?:\\.([0-9]*))?(ns|us|µs|μs|ms|s|m|h|d)';
/** As .NET and Kusto write them: days, hours, minutes, seconds and their fraction. */
const CLOCK = '^([+-]?)(?:([0-9]{1,7})[.])?([01]?[0-9]|2[0-3]):([0-5][0-9])(?::([0-5][0-9](?:[.][0-9]+)?))?$';
const CLOCK_WITH_UNITS = '$10$2d0$3h0$4m0$5s';

const units: readonly (readonly [name: string, nanoseconds: bigint])[] = [
  ['ns', 1n],
  ['us', MICROSECOND],
  ['µs', MICROSECOND],
  ['μs', MICROSECOND],
  ['ms', MILLISECOND],
  ['s', SECOND],
  ['m', MINUTE],
  ['h', HOUR],
  ['d', DAY],
];

/**
 * Nanoseconds of a duration as Go writes it, `1h30m` and `-1.5s`, or as a clock shows it,
 * `1.02:03:04.5`; null if the text is not a duration.
 */
export function parsedDuration(text: Expr): Expr {
  const withUnits = literal(CLOCK_WITH_UNITS.replaceAll('$', '\\'));
  return shareSubexpression(call('replaceRegexpOne', text, literal(CLOCK), withUnits), (given) => {
    const piece = (n: number): Expr => call('arrayElement', column('part'), integer(n));
    const unit = call(
      'transform',
      piece(3),
      call('array', ...units.map(([name]) => literal(name))),
      call('array', ...units.map(([, size]) => call('toInt64', integer(size)))),
      call('toInt64', integer(0)),
    );
    // Fractions of a nanosecond are cut off.
    const decimals = call(
      'toInt256OrZero',
      call('substring', call('rightPad', piece(2), integer(DECIMALS), literal('0')), integer(1), integer(DECIMALS)),
    );
    const fraction = call(
      'intDiv',
      call('multiply', decimals, unit),
      call('toInt256', literal((10n ** BigInt(DECIMALS)).toString())),
    );
    // 128 bits, so that an overflow is noticed.
    const size = call('plus', call('multiply', call('toInt128OrZero', piece(1)), unit), call('toInt128', fraction));
    const parts = call('extractAllGroupsVertical', given, literal(DURATION_PARTS));
    const sum = call('arraySum', call('arrayMap', lambda(['part'], size), parts));
    const sign = call('if', call('startsWith', given, literal('-')), integer(-1), integer(1));
    return call(
      'if',
      call('match', given, literal(DURATION)),
      int64OrNull(call('multiply', sum, sign)),
      nullOf('timespan'),
    );
  });
}

function durationIn(written: LiteralValue): LiteralValue {
  if (typeof written !== 'string') return null;
  const text = written.replace(new RegExp(CLOCK), CLOCK_WITH_UNITS);
  if (!new RegExp(DURATION, 'u').test(text)) return null;
  let total = 0n;
  for (const [, digits = '', name = ''] of text.matchAll(new RegExp(`(${NUMBER})(${UNIT})`, 'gu'))) {
    const unit = units.find(([n]) => n === name)?.[1] ?? 0n;
    total += scaleToNanoseconds(digits.replace(/\.$/, ''), unit) ?? 2n ** 63n;
  }
  if (text.startsWith('-')) total = -total;
  return fitsInt64(total) ? total : null;
}

function toTimespan(value: LoweredArgument): Expr {
  const { sql, type } = value;
  switch (type) {
    case 'timespan':
    case 'long':
      return sql;
    case 'real':
      return truncatedReal(sql);
    case 'string':
      return parsedDuration(sql);
    case 'bool':
    case 'datetime':
      return nullOf('timespan');
    case 'dynamic':
    case 'array':
    case 'bag':
      return fromJson(sql, { text: parsedDuration, bool: () => nullOf('timespan'), other: wholeNumber });
  }
}

const same = ([value = null]: readonly LiteralValue[]): LiteralValue => value;

export const functions: readonly FunctionRecord[] = [
  {
    name: 'todatetime',
    summary:
      'The value as a datetime: text in any format of times that ingest reads (month before day), or a number of nanoseconds since 1970; null otherwise.',
    overloads: [
      defineOverload({
        params: [param('value', 'datetime')],
        returns: 'datetime',
        lower: ([v]) => toDatetime(v),
        fold: same,
      }),
      defineOverload({
        params: [param('value', 'long')],
        returns: 'datetime',
        lower: ([v]) => toDatetime(v),
        fold: same,
      }),
      defineOverload({
        params: [param('value', 'string')],
        returns: 'datetime',
        readsTimes: true,
        lower: ([v]) => toDatetime(v),
        fold: ([text], { now }) => {
          const time =
            typeof text === 'string' ? (parseTimestampText(text) ?? parseTimestampText(text, now())) : undefined;
          return time === undefined || !fitsInt64(time) ? null : time;
        },
      }),
      defineOverload({
        params: [param('value', 'any')],
        returns: 'datetime',
        readsTimes: true,
        lower: ([v]) => toDatetime(v),
      }),
    ],
    examples: [
      { apl: 'todatetime("2024-01-15T10:00:00.123456789+02:00")', gives: '2024-01-15T08:00:00.123456789Z' },
      { apl: 'todatetime("May 8, 2009 5:57:51 PM")', gives: '2009-05-08T17:57:51Z' },
      { apl: 'todatetime("4/8/2014 22:05")', gives: '2014-04-08T22:05:00Z' },
      { apl: 'todatetime("10/Oct/2000:13:55:36 -0700")', gives: '2000-10-10T20:55:36Z' },
      { apl: 'todatetime("Mon, 02 Jan 2006 15:04:05 MST")', gives: '2006-01-02T22:04:05Z' },
      { apl: 'todatetime("Sunday, 06-Nov-94 08:49:37 GMT")', gives: '1994-11-06T08:49:37Z' },
      { apl: 'todatetime("Tuesday, 06-Nov-29 08:49:37 GMT")', gives: '2029-11-06T08:49:37Z' },
      { apl: 'todatetime("2014-04-26 13:13:43 +0800 +08")', gives: '2014-04-26T05:13:43Z' },
      { apl: 'todatetime("2014-04-26 13:13:43.5 -0330 -0330")', gives: '2014-04-26T16:43:43.5Z' },
      { apl: 'todatetime("2015-02-08 03:02:00 +0300 MSK m=+0.000000001")', gives: '2015-02-08T00:02:00Z' },
      { apl: 'todatetime("Sun, 3 Jan 2021 00:12:23 +0800 (GMT+08:00)")', gives: '2021-01-02T16:12:23Z' },
      { apl: 'todatetime("October 7th, 1970")', gives: '1970-10-07T00:00:00Z' },
      { apl: 'todatetime("oct. 7, 1970")', gives: '1970-10-07T00:00:00Z' },
      { apl: 'todatetime("06/Jan/2008 15:04:05 -0700")', gives: '2008-01-06T22:04:05Z' },
      { apl: 'todatetime("2017-07-19T03:21:51:897+0100")', gives: '2017-07-19T02:21:51.897Z' },
      { apl: 'todatetime("2014年04月08日 19:17:22")', gives: '2014-04-08T19:17:22Z' },
      { apl: 'todatetime("Thu, 07 Mar 2024 09:08:07 EST")', gives: '2024-03-07T14:08:07Z' },
      { apl: 'todatetime("2024-03-07 09:08:07 IST")', gives: null },
      { apl: 'todatetime("31/Dec/2016:23:59:60 +0000")', gives: '2017-01-01T00:00:00Z' },
      { apl: 'todatetime("07-MAR-24 09.08.07.123456 PM")', gives: '2024-03-07T21:08:07.123456Z' },
      { apl: 'todatetime("081109 203518")', gives: '2008-11-09T20:35:18Z' },
      { apl: 'todatetime("13/2/2024")', gives: null },
      { apl: 'todatetime("2014-04-26 (13:13:43)")', gives: null },
      { apl: 'todatetime("1700000000")', gives: '2023-11-14T22:13:20Z' },
      { apl: 'todatetime(1500000000)', gives: '1970-01-01T00:00:01.5Z' },
      { apl: 'todatetime(dynamic({"t": "2024-01-15"}).t)', gives: '2024-01-15T00:00:00Z' },
      { apl: 'todatetime("10:00")', gives: null },
      { apl: 'todatetime("2024-02-30")', gives: null },
      { apl: 'todatetime("9999-01-01")', gives: null },
      { apl: 'todatetime(datetime(2024-01-01))', gives: '2024-01-01T00:00:00Z' },
    ],
    differs: {
      axiom:
        'Times before 1677-09-21 and after 2262-04-11 do not fit into 64 bits of nanoseconds and are null. So are times in unknown or ambiguous zones, such as IST.',
      kusto: 'Numbers are nanoseconds, not ticks of 100.',
    },
  },
  {
    name: 'totimespan',
    summary:
      'The value as a timespan: text such as 1h30m or 1.5s (units ns us ms s m h), or a number of nanoseconds; null otherwise.',
    overloads: [
      defineOverload({
        params: [param('value', 'timespan')],
        returns: 'timespan',
        lower: ([v]) => toTimespan(v),
        fold: same,
      }),
      defineOverload({
        params: [param('value', 'long')],
        returns: 'timespan',
        lower: ([v]) => toTimespan(v),
        fold: same,
      }),
      defineOverload({
        params: [param('value', 'string')],
        returns: 'timespan',
        lower: ([v]) => toTimespan(v),
        fold: ([text]) => durationIn(text ?? null),
      }),
      defineOverload({ params: [param('value', 'any')], returns: 'timespan', lower: ([v]) => toTimespan(v) }),
    ],
    examples: [
      { apl: 'totimespan("1h30m") == 90m', gives: true },
      { apl: 'totimespan("-1.5s") == -1500ms', gives: true },
      { apl: 'totimespan("250µs") == 250us', gives: true },
      { apl: 'totimespan("1.9999ns") == 1ns', gives: true },
      { apl: 'totimespan(dynamic({"d": "1.9999ns"}).d) == 1ns', gives: true },
      { apl: 'totimespan(1500000000) == 1.5s', gives: true },
      { apl: 'totimespan("1:30:00") == 90m', gives: true },
      { apl: 'totimespan("-1.02:03:04.5678") == -(1d + 2h + 3m + 4567800us)', gives: true },
      { apl: 'totimespan("00:05") == 5m and totimespan("1d12h") == 36h', gives: true },
      { apl: 'totimespan("24:00:00")', gives: null },
      { apl: 'totimespan("1:60:00")', gives: null },
      { apl: 'totimespan("3000000h")', gives: null },
      { apl: 'totimespan("abc")', gives: null },
      { apl: 'totimespan(90m) == 90m', gives: true },
      { apl: 'totimespan(dynamic({"d": "1h"}).d) == 1h', gives: true },
    ],
    differs: {
      kusto:
        'Numbers are nanoseconds, not ticks of 100. Texts may also have units, as in 1h30m, and a number alone is none, where Kusto takes days.',
    },
  },
];
