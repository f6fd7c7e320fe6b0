import { and, call, cast, column, integer, lambda, literal, nullLiteral, or } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { MAX_TIME_LENGTH, digitVariants, variants, zoneOffsets } from '@millrace/timestamps';
import type { Variant } from '@millrace/timestamps';
import { DAY, SECOND } from '../../model/nanoseconds.js';
import { clickhouseType } from '../../model/types.js';
import { shareSubexpression } from '../shared-subexpressions.js';
import { canonicalForms, EPOCH, NO_YEAR, ORDINAL_DATE, timePattern } from './time-patterns.js';

/**
 * Forms that need no rewriting: RFC 3339 and similar, in years that the engine supports completely.
 */
const PLAIN =
  '^(?:19|20|21)[0-9]{2}-[0-9]{2}-[0-9]{2}(?:[T ](?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:[.][0-9]{1,9})?(?:Z|[+-](?:[01][0-9]|2[0-3]):?[0-5][0-9])?)?$';

const none = cast(nullLiteral, clickhouseType.datetime);
const parse = (text: Expr): Expr => call('parseDateTime64BestEffortOrNull', text, integer(9), literal('UTC'));

/**
 * Parses a string in any format that ingest accepts to an instant; null if it is not a time. It
 * uses the same tables as the parser in `@millrace/times`. `todatetime`, and every conversion of a
 * string in a dynamic to a datetime, use this function. A time without a year is in the latest year
 * that puts it no more than a day after the time of the query.
 *
 * A string is rewritten to one of the few forms that the engine parses. Rewriting text is preferred
 * to calculations: planning takes the engine 50 µs per call in a query.
 */
export function parsedInstant(text: Expr): Expr {
  return shareSubexpression(text, (given) =>
    call('if', call('match', given, literal(PLAIN)), parse(given), unusual(given)),
  );
}

function unusual(given: Expr): Expr {
  const isShort = call('lessOrEquals', call('lengthUTF8', given), integer(MAX_TIME_LENGTH));
  return bound('plain', rewritten(given, [...variants, ...digitVariants, ...canonicalForms]), (plain) =>
    call(
      'multiIf',
      and(call('match', plain, literal(timePattern)), isShort),
      timeOf(plain),
      and(call('match', plain, literal(EPOCH)), isShort),
      call('fromUnixTimestamp64Nano', call('accurateCastOrNull', epoch(plain), literal('Int64')), literal('UTC')),
      none,
    ),
  );
}

/** `body` with a name for a value that it uses several times. */
const bound = (name: string, value: Expr, body: (value: Expr) => Expr): Expr =>
  call('arrayElement', call('arrayMap', lambda([name], body(column(name))), call('array', value)), integer(1));

/** The string after all rewrites, in the engine's syntax. */
const rewritten = (text: Expr, list: readonly Variant[]): Expr =>
  list.reduce(
    (sql, { regex, anyCase, all, becomes }) =>
      call(
        all === true ? 'replaceRegexpAll' : 'replaceRegexpOne',
        sql,
        literal(`${anyCase === true ? '(?i)' : ''}${regex}`),
        literal(becomes.replace(/\$(\d)/g, '\\$1')),
      ),
    text,
  );

const hoursAndMinutes = (seconds: number): string => {
  const minutes = Math.abs(seconds) / 60;
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${seconds < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}${two(minutes % 60)}`;
};

/** The offset of each zone after its name, and of an empty name. */
const zoneTable = ['', ...zoneOffsets.keys()]
  .map((name) => ` ${name}=${hoursAndMinutes(zoneOffsets.get(name) ?? 0)}`)
  .join('');

/** A text that fits the pattern, with the offset of the zone that it names at its end. */
function withOffset(plain: Expr): Expr {
  const name = call('extract', plain, literal('([A-Z]{3,5})$'));
  const place = call('position', literal(zoneTable), call('concat', literal(' '), name, literal('=')));
  const offset = call(
    'substring',
    literal(zoneTable),
    call('plus', place, call('plus', call('length', name), integer(' ='.length))),
    integer('+0000'.length),
  );
  const bare = call('replaceRegexpOne', plain, literal(' ?[A-Z]{3,5}$'), literal(''));
  return call('if', call('equals', name, literal('')), plain, call('concat', bare, offset));
}

/**
 * The first of the candidate years in which the time exists; if the string has a year, it is the
 * only candidate.
 */
function timeOf(plain: Expr): Expr {
  const isYearless = call('greater', call('position', plain, literal(NO_YEAR)), integer(0));
  const now = call('now64', integer(9), literal('UTC'));
  const year = call('toYear', now);
  const recent = call('arrayReverse', call('range', call('minus', year, integer(8)), call('plus', year, integer(2))));
  const years = call('if', isYearless, recent, call('array', year));
  // The engine takes no ordinal dates: days are added to 1 January.
  const ordinal = call('toUInt16OrZero', call('regexpExtract', plain, literal(ORDINAL_DATE), integer(2)));
  const written = call('replaceOne', withOffset(plain), literal(NO_YEAR), call('toString', column('year')));
  const ofFirst = call('replaceRegexpOne', written, literal(ORDINAL_DATE), literal('\\1-1-1\\3'));
  const time = call('addDays', parse(ofFirst), call('minus', call('greatest', ordinal, integer(1)), integer(1)));
  const isPast = call('lessOrEquals', column('time'), call('addDays', now, integer(1)));
  // The engine reads second 60 as the next second, and a leap second is the last of a day.
  const isMidnight = call(
    'less',
    call('modulo', call('toUnixTimestamp64Nano', column('time')), integer(DAY)),
    integer(SECOND),
  );
  const isRight = and(
    or(call('not', isYearless), isPast),
    or(call('not', call('match', plain, literal(':60'))), isMidnight),
  );
  return call(
    'arrayFirst',
    lambda(['time'], call('ifNull', isRight, literal(false))),
    call('arrayMap', lambda(['year'], time), years),
  );
}

/** Converts digits since 1970, whose number determines the unit, to nanoseconds in 128 bits. */
function epoch(plain: Expr): Expr {
  const whole = call('extract', plain, literal('^[+-]?0*([0-9]+)'));
  const fraction = call('extract', plain, literal('[.]([0-9]{1,9})'));
  const length = call('length', whole);
  const decimals = call(
    'multiIf',
    ...epochUnits.flatMap(([max, places]) => [call('lessOrEquals', length, integer(max)), integer(places)]),
    integer(0),
  );
  const shifted = call('substring', call('rightPad', fraction, integer(9), literal('0')), integer(1), decimals);
  const sign = call('if', call('startsWith', plain, literal('-')), literal('-'), literal(''));
  return call('toInt128OrNull', call('concat', sign, whole, shifted));
}

/**
 * The number of digits distinguishes seconds, milliseconds, microseconds and nanoseconds since
 * 1970.
 */
const epochUnits: readonly (readonly [maxDigits: number, decimals: number])[] = [
  [11, 9],
  [14, 6],
  [17, 3],
];
