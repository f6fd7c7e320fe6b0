import { expect, it } from 'vitest';
import { compileText } from '../testing/compile-text.js';

/** What is said about arguments that cannot be right, while compiling. */
function refusal(apl: string): string | undefined {
  const result = compileText(`print value = ${apl}`);
  return result.kind === 'failed' ? result.diagnostics.find((d) => d.severity === 'error')?.message : undefined;
}

it.each([
  ['extract("(a", 1, "x")', 'regular expression: a ( has no )'],
  ['extract("a", 1, "x")', 'the regular expression has no groups; there is no group 1'],
  ['extract("(a)", 2, "x")', 'the regular expression has 1 group; there is no group 2'],
  ['extract(strcat("a", "("), 0, "x")', 'regular expression: a ( has no )'],
  ['extract_all("(a)", dynamic([3]), "x")', 'the regular expression has 1 group; there is no group 3'],
  ['extract_all("(a)", dynamic(["a"]), "x")', 'groups must be an array of numbers, such as dynamic([1])'],
  [
    'replace_regex("(?<=a)b", "c", "x")',
    'regular expression: no look-around ((?<=…); match more and extract the part you need',
  ],
  ['replace_regex(tostring(rand()), "c", "x")', 'regex of replace_regex must be a constant'],
  ['trim_regex("a**", "x")', 'regular expression: nothing to repeat for *'],
  ['indexof_regex("x", "a", 0, 1000)', 'occurrence must be at most 100'],
  ['case(true, 1, "no condition", 2, 3)', 'argument 3 of case must be a condition'],
  ['datetime(2024-01-01) + 1', '+ does not take datetime and long; a timespan is written 1h'],
  [
    '"a" + "b"',
    'argument 1 of + must be number or datetime or timespan, but is string; strcat() joins texts, toint() and toreal() read numbers',
  ],
  ['round("1")', 'argument 1 of round must be real, but is string; convert it with toint() or toreal()'],
  ['ago(5)', 'argument 1 of ago must be timespan, but is long; a timespan is written 1h'],
  ['hourofday(5)', 'argument 1 of hourofday must be datetime, but is long; a datetime is written datetime(2024-01-15)'],
  ['format_bytes(1, 0, "furlongs")', 'units must be one of B, KB, MB, GB, TB, PB, EB'],
  ['parse_bytes("1 KB", 3)', 'base must be 2 or 10'],
  ['bin_at(5, 0, 1)', 'the size of a bin must be greater than 0'],
  ['parse_command_line("ls", "posix")', 'the only kind of command line is "windows"'],
  [
    'datetime_part("weekday", now())',
    'there is no part "weekday"; parts are year, quarter, month, week_of_year, day, dayOfYear, hour, minute, second, millisecond, microsecond, nanosecond',
  ],
  [
    'datetime_diff("decade", now(), now())',
    'there is no part "decade"; parts are nanosecond, microsecond, millisecond, second, minute, hour, day, week, month, quarter, year',
  ],
  ['bag_pack("a", 1, "b")', 'keys and values take turns: the last key has no value'],
  [
    'array_extract(dynamic([]), "$..id")',
    `cannot read the path at "..id"; it consists of $, .name, ['name'], [0] and [*], as in $[*].id`,
  ],
  ['sort_array(dynamic([]), "up")', 'the order must be "asc" or "desc"'],
  ['find_pair(dynamic([]), tostring(rand()), "*")', 'keyPattern of find_pair must be a constant'],
  ['strlen(5)', 'argument 1 of strlen must be string, but is long; convert it with tostring()'],
])('%s', (apl, message) => expect(refusal(apl)).toBe(message));

it.each(['extract(regex_quote("a("), 0, "x")', 'extract("(a)|b", 0, string(null))', 'case(true, dynamic(null))'])(
  '%s is fine',
  (apl) => expect(refusal(apl)).toBeUndefined(),
);
