import { call, integer, literal } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { shareSubexpression } from '../../lower/shared-subexpressions.js';
import { nullOf } from '../../lower/values.js';
import { defineFunction, param } from '../define.js';
import type { FunctionRecord, LoweredArgument } from '../define.js';
import { truncatedReal } from '../conversion/numbers.js';

/**
 * Sizes written with units. The names are the same in base 2 and base 10; with an `i`, as in KiB,
 * the base is always 2.
 */
const unitNames = ['Bytes', 'KB', 'MB', 'GB', 'TB', 'PB', 'EB', 'ZB', 'YB'];
const unitLetters = unitNames.slice(1).map((name) => name.charAt(0));
/** No real has more significant digits. */
const MAX_PRECISION = 17;

const step = (base: number): number => (base === 10 ? 1000 : 1024);
const baseCheck = (index: number) => (args: readonly (LoweredArgument | undefined)[]) => {
  const base = args[index]?.constant;
  return typeof base === 'bigint' && base !== 2n && base !== 10n
    ? { argument: index, message: 'base must be 2 or 10' }
    : undefined;
};
const baseOf = (arg: LoweredArgument | undefined): number => (arg?.constant === 10n ? 10 : 2);

/** Index of a unit in `unitNames`; undefined if it is not one. */
function unitIndex(unit: string): number | undefined {
  const found = /^(?:B|BYTES?|([KMGTPEZY])I?B?)$/.exec(unit.trim().toUpperCase());
  if (found === null) return undefined;
  return found[1] === undefined ? 0 : unitLetters.indexOf(found[1]) + 1;
}
const isBinaryUnit = (unit: string): boolean => /i/i.test(unit);

const fixPrecision = (value: Expr, precision: Expr): Expr => call('toDecimalString', value, precision);

function formatBytes(value: Expr, digits: number, unit: string | undefined, base: number): Expr {
  const precision = integer(digits);
  if (unit !== undefined) {
    const size = step(isBinaryUnit(unit) ? 2 : base) ** (unitIndex(unit) ?? 0);
    return call('concat', fixPrecision(call('divide', value, literal(size)), precision), literal(` ${unit.trim()}`));
  }
  return shareSubexpression(call('abs', value), (size) => {
    const choices = unitNames.flatMap((name, i) => {
      const scaled = call(
        'concat',
        fixPrecision(call('divide', value, literal(step(base) ** i)), precision),
        literal(` ${name}`),
      );
      // A value that would be rounded up to a whole next unit is written in that unit: 1 MB, not
      // 1024 KB.
      const max = (step(base) - 0.5 * 10 ** -digits) * step(base) ** i;
      return i === unitNames.length - 1 ? [scaled] : [call('less', size, literal(max)), scaled];
    });
    return call('multiIf', ...choices);
  });
}

const SIZE = `(?i)^\\s*([0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)\\s*([${unitLetters.join('')}]?)(I?)(?:B|Bytes?)?\\s*$`;

function parseNumber(text: Expr, base: number): Expr {
  return shareSubexpression(call('replaceAll', text, literal(','), literal('')), (size) => {
    const group = (n: number): Expr => call('regexpExtract', size, literal(SIZE), integer(n));
    const letters = call('array', ...unitLetters.map((letter) => literal(letter)));
    const sizes = (of: number): Expr => call('array', ...unitLetters.map((_, i) => literal(step(of) ** (i + 1))));
    const factor = (of: number): Expr => call('transform', call('upper', group(2)), letters, sizes(of), literal(1));
    const unit = base === 2 ? factor(2) : call('if', call('equals', group(3), literal('')), factor(10), factor(2));
    const bytes = truncatedReal(call('multiply', call('toFloat64OrZero', group(1)), unit));
    // Null stays null; anything else that cannot be read is 0.
    return call('if', call('isNull', size), nullOf('long'), call('ifNull', bytes, call('toInt64', integer(0))));
  });
}

export const functions: readonly FunctionRecord[] = [
  defineFunction({
    name: 'format_bytes',
    summary:
      'A number of bytes as text with the given unit, or the one that suits its size; units are steps of 1024, or of 1000 with base 10.',
    params: [
      param('value', 'real'),
      param('precision', 'long', { optional: true, constant: true }),
      param('units', 'string', { optional: true, constant: true }),
      param('base', 'long', { optional: true, constant: true }),
    ],
    returns: 'string',
    check: (args) => {
      const unit = args[2]?.constant;
      return typeof unit === 'string' && unit !== '' && unitIndex(unit) === undefined
        ? { argument: 2, message: `units must be one of ${unitNames.join(', ')}` }
        : baseCheck(3)(args);
    },
    lower: ([value, precision, unit, base]) => {
      if ([precision, unit, base].some((arg) => arg?.constant === null)) return nullOf('string');
      const given = Number(precision?.constant ?? 0);
      const digits = Math.min(Math.max(given, 0), MAX_PRECISION);
      const name = typeof unit?.constant === 'string' && unit.constant !== '' ? unit.constant : undefined;
      // The engine refuses to write numbers that are too long, even where the result is not used.
      return shareSubexpression(value.sql, (size) => {
        const sensible = call('less', call('abs', size), literal(1e30));
        const text = formatBytes(call('if', sensible, size, literal(0)), digits, name, baseOf(base));
        return call('if', sensible, text, nullOf('string'));
      });
    },
    examples: [
      { apl: 'format_bytes(8765432, 2)', gives: '8.36 MB' },
      { apl: 'format_bytes(512)', gives: '512 Bytes' },
      { apl: 'format_bytes(1536, 1)', gives: '1.5 KB' },
      { apl: 'format_bytes(2500000, 1, "KB", 10)', gives: '2500.0 KB' },
      { apl: 'format_bytes(1048576, 0, "KiB", 10)', gives: '1024 KiB' },
      { apl: 'format_bytes(-2048, 1)', gives: '-2.0 KB' },
      { apl: 'format_bytes(1e300)', gives: null },
      { apl: 'format_bytes(1048575)', gives: '1 MB' },
      { apl: 'format_bytes(-1048575, 2)', gives: '-1.00 MB' },
      { apl: 'format_bytes(1048575, 3)', gives: '1023.999 KB' },
      { apl: 'format_bytes(1023.5)', gives: '1 KB' },
      { apl: 'format_bytes(999499, 0, "", 10)', gives: '999 KB' },
      { apl: 'format_bytes(999500, 0, "", 10)', gives: '1 MB' },
      { apl: 'format_bytes(9223372036854775807)', gives: '8 EB' },
      { apl: 'format_bytes(1e24, 1)', gives: '847.0 ZB' },
      { apl: 'format_bytes(2048, 0, "Bytes")', gives: '2048 Bytes' },
      { apl: 'format_bytes(2048, 0, "b")', gives: '2048 b' },
      { apl: 'format_bytes(3e24, 1, "YB", 10)', gives: '3.0 YB' },
    ],
  }),
  defineFunction({
    name: 'parse_bytes',
    summary:
      'The number of bytes in a size such as "10 MB"; units are steps of 1024, or of 1000 with base 10. 0 if the text is not a size, or one that does not fit into 64 bits.',
    params: [param('text', 'string'), param('base', 'long', { optional: true, constant: true })],
    returns: 'long',
    check: baseCheck(1),
    lower: ([text, base]) => (base?.constant === null ? nullOf('long') : parseNumber(text.sql, baseOf(base))),
    examples: [
      { apl: 'parse_bytes("10 MB")', gives: 10485760 },
      { apl: 'parse_bytes("1.5kb", 10)', gives: 1500 },
      { apl: 'parse_bytes("1 KiB", 10)', gives: 1024 },
      { apl: 'parse_bytes("1,024")', gives: 1024 },
      { apl: 'parse_bytes("many")', gives: 0 },
      { apl: 'parse_bytes("128 Bytes")', gives: 128 },
      { apl: 'parse_bytes("1 byte")', gives: 1 },
      { apl: 'parse_bytes("2 mib")', gives: 2097152 },
      { apl: 'parse_bytes("1 bite")', gives: 0 },
      { apl: 'parse_bytes("16 EB")', gives: 0 },
    ],
  }),
];
