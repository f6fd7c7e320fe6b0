import { call, literal } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { shareSubexpression } from '../../lower/shared-subexpressions.js';
import { defineFunction, param } from '../define.js';
import type { FunctionRecord, LoweredArgument } from '../define.js';

const SECOND = literal(1_000_000_000n);

/** Nanoseconds that a zone is ahead of UTC at a time. */
const aheadAt = (time: Expr, zone: Expr): Expr =>
  call('multiply', call('toInt64', call('timezoneOffset', call('toTimeZone', time, zone))), SECOND);

const moveTime = (time: Expr, nanoseconds: Expr, sign: 'plus' | 'minus'): Expr =>
  call('fromUnixTimestamp64Nano', call(sign, call('toUnixTimestamp64Nano', time), nanoseconds), literal('UTC'));

/** Whether there is such a zone. */
function isZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

const check = ([, zone]: readonly LoweredArgument[]):
  | { readonly argument: number; readonly message: string }
  | undefined =>
  typeof zone?.constant === 'string' && !(/^[A-Za-z][A-Za-z0-9_+/-]*$/.test(zone.constant) && isZone(zone.constant))
    ? { argument: 1, message: `there is no time zone ${zone.constant}; they are named as in Europe/Berlin` }
    : undefined;

const params = [param('datetime', 'datetime'), param('timezone', 'string', { constant: true })] as const;

/** Conversions to and from local times. */
export const zones: readonly FunctionRecord[] = [
  defineFunction({
    name: 'datetime_utc_to_local',
    summary: 'What clocks in a time zone show at a time in UTC.',
    params,
    returns: 'datetime',
    check,
    lower: ([time, zone]) => moveTime(time.sql, aheadAt(time.sql, zone.sql), 'plus'),
    examples: [
      { apl: 'datetime_utc_to_local(datetime(2024-06-01T12:00), "Europe/Berlin")', gives: '2024-06-01T14:00:00Z' },
      { apl: 'datetime_utc_to_local(datetime(2024-01-01), "US/Pacific")', gives: '2023-12-31T16:00:00Z' },
    ],
    differs: { axiom: 'Not in Axiom; as in Kusto.' },
  }),
  defineFunction({
    name: 'datetime_local_to_utc',
    summary: 'The time in UTC at which clocks in a time zone show a time.',
    params,
    returns: 'datetime',
    check,
    // The zone may be ahead by something else at the time that is found first, if clocks are
    // changed in between.
    lower: ([time, zone]) =>
      shareSubexpression(moveTime(time.sql, aheadAt(time.sql, zone.sql), 'minus'), (first) =>
        moveTime(time.sql, aheadAt(first, zone.sql), 'minus'),
      ),
    examples: [
      { apl: 'datetime_local_to_utc(datetime(2024-06-01T14:00), "Europe/Berlin")', gives: '2024-06-01T12:00:00Z' },
      { apl: 'datetime_local_to_utc(datetime(2024-03-31T03:30), "Europe/Berlin")', gives: '2024-03-31T01:30:00Z' },
    ],
    differs: { axiom: 'Not in Axiom; as in Kusto.' },
  }),
];
