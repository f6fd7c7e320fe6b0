import type { Span } from '../ast.js';
import type { DiagnosticSink } from '../diagnostic-sink.js';
import { scaleToNanoseconds, timespanUnits } from './timespan.js';
import { MAX_LONG } from '../../model/int64.js';

interface NumberToken {
  readonly kind: 'long' | 'real' | 'timespan' | 'word';
  readonly end: number;
  readonly value?: bigint | number;
}

const HEX = /0[xX][0-9a-fA-F]+(?![A-Za-z0-9_])/y;
/** A point is followed by digits or by nothing: `1..5` is a range. */
const DECIMAL = /\d+(?:\.\d+|\.(?![.\w[]))?(?:[eE][+-]?\d+(?![A-Za-z0-9_]))?/y;
/**
 * Whether the suffix is the rest of a name that begins with a digit, such as `24h_ago` or
 * `4624Events`. A suffix that resembles a unit is more likely a mistyped timespan.
 */
const isName = (suffix: string, sink: DiagnosticSink): boolean => {
  const unit = suffix.toLowerCase();
  if (suffix.includes('_')) return /^\w+$/.test(suffix);
  if (timespanUnits.has(unit) || CALENDAR.test(unit) || !/^\w+$/.test(suffix)) return false;
  // Of single letters these begin a unit.
  if (suffix.length === 1) return unit !== 'n' && unit !== 'u';
  return unit !== suffix || sink.findNearest(suffix, timespanUnits.keys()) === undefined;
};
const SUFFIX = /[A-Za-z_µμ][A-Za-z0-9_µμ]*/y;

/** Parts of the calendar, which are no timespans. */
const CALENDAR = /^(?:mo|mon|months?|q|quarters?|y|yrs?|years?)$/;

/**
 * -9223372036854775808 is a minus before a number that is one too large for 64 bits, so the lexer
 * accepts one more.
 */
const LARGEST = MAX_LONG + 1n;

/**
 *     number = digits [ "." digits ] [ "e" [ sign ] digits ] [ unit ] | "0x" hexdigits
 */
export function lexNumber(text: string, start: number, sink: DiagnosticSink): NumberToken {
  const hex = matchAt(HEX, text, start);
  if (hex !== undefined) return long(hex, /^0x0*(.*)$/i, 16, { start, end: start + hex.length });

  const digits = matchAt(DECIMAL, text, start)!;
  const digitsEnd = start + digits.length;
  const suffix = matchAt(SUFFIX, text, digitsEnd) ?? '';
  const span = { start, end: digitsEnd + suffix.length };
  if (/^\d+$/.test(digits) && isName(suffix, sink)) return { kind: 'word', end: span.end };
  if (suffix !== '') return timespan(digits, suffix, span);
  if (/^\d+$/.test(digits)) return long(digits, /^0*(.*)$/, 19, span);
  const value = Number(digits);
  if (!Number.isFinite(value)) sink.error(span, `the number ${digits} is too large`);
  return { kind: 'real', end: span.end, value };

  /**
   * More than `max` significant digits are rejected unread: converting millions of them would take
   * long.
   */
  function long(written: string, digitsPattern: RegExp, max: number, span: Span): NumberToken {
    const significant = digitsPattern.exec(written)![1]!;
    const value = significant.length > max ? LARGEST + 1n : BigInt(written);
    if (value <= LARGEST) return { kind: 'long', end: span.end, value };
    sink.error(
      span,
      'the number is too large for 64 bits; in events such numbers are texts, so write it in quotes, or with a point and a zero at its end for a real',
    );
    return { kind: 'long', end: span.end, value: 0n };
  }

  function timespan(digits: string, suffix: string, span: Span): NumberToken {
    const unit = timespanUnits.get(suffix);
    const written = text.slice(span.start, span.end);
    if (unit === undefined) {
      if (CALENDAR.test(suffix)) {
        sink.error(
          span,
          `${suffix} is no unit of time, because months and years differ in length; startofmonth(t) groups by them, and datetime_add("month", 1, t) adds one`,
        );
        return { kind: 'timespan', end: span.end, value: 0n };
      }
      const meant = sink.findNearest(suffix, timespanUnits.keys());
      const fix =
        meant === undefined ? undefined : { title: `Write ${digits}${meant}`, replacement: `${digits}${meant}` };
      sink.error(
        span,
        `${suffix} is no unit of time; units are w, d, h, m, s, ms, us, ns; a name that begins with a digit is quoted: ['${written}']`,
        fix,
      );
      return { kind: 'timespan', end: span.end, value: 0n };
    }
    const value = scaleToNanoseconds(digits, unit);
    if (value === undefined) sink.error(span, `the timespan ${written} is longer than about 292 years`);
    return { kind: 'timespan', end: span.end, value: value ?? 0n };
  }
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}
