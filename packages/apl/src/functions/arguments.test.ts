import { expect, it } from 'vitest';
import { compileText } from '../testing/compile-text.js';

/** The error that the compiler reports for invalid arguments. */
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
  ['extract_all("(a)", dynamic(["a"]), "x")', 'the regular expression has 1 group; there is no group a'],
  ['extract_all("(a)", dynamic([true]), "x")', 'groups must be an array of numbers or names, such as dynamic([1])'],
  [
    'replace_regex("(?<=a)b", "c", "x")',
    'regular expression: no look-around ((?<=…); match more and extract the part you need',
  ],
  [
    'replace_regex(tostring(rand()), "c", tostring(rand()))',
    'regex of replace_regex must be a constant: replace_regex(regex, rewrite, text)',
  ],
  ['"x" matches regex tostring(rand())', 'regex of matches regex must be a constant'],
  ['"x" !matches regex tostring(rand())', 'regex of !matches regex must be a constant'],
  ['trim_regex("a**", "x")', 'regular expression: nothing to repeat for *'],
  ['indexof_regex("x", "a", 0, 1000)', 'occurrence of indexof_regex must be at most 100'],
  ['case(true, 1, "no condition", 2, 3)', 'argument 3 of case must be bool, but is string'],
  ['datetime(2024-01-01) + 1', '+ does not take datetime and long; a timespan is written 1h'],
  [
    '"a" + "b"',
    'argument 1 of + must be number or datetime or timespan, but is string; strcat() joins texts, toint() and toreal() read numbers',
  ],
  [
    'tostring(5) + 6',
    'argument 1 of + must be number or datetime or timespan, but is string; strcat() joins texts, toint() and toreal() read numbers',
  ],
  ['round("1")', 'argument 1 of round must be real, but is string; without quotes: 1'],
  ['round("a")', 'argument 1 of round must be real, but is string; convert it with toint() or toreal()'],
  ['ago(5)', 'argument 1 of ago must be timespan, but is long; a timespan is written 1h'],
  ['bin(now(), "1h")', 'argument 2 of bin must be long or real or timespan, but is string; without quotes: 1h'],
  ['ago("1h30m")', 'argument 1 of ago must be timespan, but is string; without quotes: timespan(1h30m)'],
  ['hourofday(5)', 'argument 1 of hourofday must be datetime, but is long; a datetime is written datetime(2024-01-15)'],
  ['format_bytes(1, 0, "furlongs")', 'units must be one of Bytes, KB, MB, GB, TB, PB, EB, ZB, YB'],
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
  [
    'find_pair(dynamic([]), tostring(rand()), "*")',
    'keyPattern of find_pair must be a constant: find_pair(array, keyPattern, valuePattern, [separator])',
  ],
  ['split("/", tostring(rand()))', 'delimiter of split must be a constant: split(source, delimiter, [index])'],
  [
    'tostring(now()) - tostring(now())',
    'argument 1 of - must be number or datetime or timespan, but is string; convert it with toint(), toreal() or todatetime()',
  ],
  ['abs(true)', 'argument 1 of abs must be long or real or timespan, but is bool; toint() makes 1 and 0 of it'],
  ['strlen(5)', 'argument 1 of strlen must be string, but is long; convert it with tostring()'],
])('%s', (apl, message) => expect(refusal(apl)).toBe(message));

it.each([
  ['replace_string(a, "b", "c")', 'the text comes last: replace_string(lookup, rewrite, text)'],
  ['countof(a, "b")', 'the text comes last: countof(search, text)'],
  ['replace_string(a, "b", a)', undefined],
  ['replace_string("a", "b", "c")', undefined],
  ['countof("b", a)', undefined],
])('a text that stands first is noticed: %s', (apl, message) => {
  const { diagnostics } = compileText(`datatable(a: string)["x"] | extend n = ${apl}`);
  expect(diagnostics.find(({ severity }) => severity === 'warning')?.message).toBe(message);
});

/** The first error in a query, and the text of its span. */
function finding(apl: string): string | undefined {
  const result = compileText(apl);
  const error = result.kind === 'failed' ? result.diagnostics.find((d) => d.severity === 'error') : undefined;
  return error && `${error.code} at ${apl.slice(error.span.start, error.span.end)}: ${error.message}`;
}

it.each([
  ['topk(x, 1000000000)', 'limit at 1000000000: k of topk must be from 1 to 1048576'],
  ['topk(x, 0)', 'argument_type at 0: k of topk must be from 1 to 1048576'],
  ['topk(x, long(null))', 'argument_type at long(null): k of topk must be from 1 to 1048576'],
  ['topk(x, 1e300)', 'argument_type at 1e300: k of topk must be from 1 to 1048576'],
  ['topkif(x, 1048577, x > 1)', 'limit at 1048577: k of topkif must be from 1 to 1048576'],
  ['make_list(x, 2000000)', 'limit at 2000000: maximum of make_list must be from 1 to 1048576'],
  ['make_set(x, -1)', 'argument_type at -1: maximum of make_set must be from 1 to 1048576'],
  ['make_set_if(x, x > 1, 2000000)', 'limit at 2000000: maximum of make_set_if must be from 1 to 1048576'],
  ['histogram(x, 251)', 'limit at 251: bins of histogram must be from 1 to 250'],
  ['phrases("a", 1001)', 'limit at 1001: maximum of phrases must be from 1 to 1000'],
])('bounds: %s', (aggregate, wanted) =>
  expect(finding(`range x from 1 to 9 step 1 | summarize ${aggregate}`)).toBe(wanted),
);

it.each([
  ['column_ifexists("a")', 'column_ifexists takes 2 arguments, not 1: column_ifexists(name, otherwise)'],
  ['column_ifexists("a", 1, 2)', 'column_ifexists takes 2 arguments, not 3: column_ifexists(name, otherwise)'],
  ['cursor_current(1)', 'cursor_current takes 0 arguments, not 1: cursor_current()'],
  ['ensure_field("a")', 'ensure_field takes 2 arguments, not 1: ensure_field(name, type)'],
  ['ensure_field("a", typeof(long), 3)', 'ensure_field takes 2 arguments, not 3: ensure_field(name, type)'],
  ['ingestion_time(1)', 'ingestion_time takes 0 arguments, not 1: ingestion_time()'],
  ['toscalar()', 'toscalar takes 1 argument, not 0: toscalar(table)'],
  ['toscalar(1, 2)', 'toscalar takes 1 argument, not 2: toscalar(table)'],
  ['countif()', 'countif takes 1 argument, not 0: countif(predicate)'],
  ['countif(x > 1, 2)', 'countif takes 1 argument, not 2: countif(predicate)'],
  ['sumif(x)', 'sumif takes 2 arguments, not 1: sumif(value, predicate)'],
  ['topkif(x, 2)', 'topkif takes 3 arguments, not 2: topkif(value, k, predicate)'],
  ['make_set_if(x)', 'make_set_if takes 2 to 3 arguments, not 1: make_set_if(value, predicate, [maximum])'],
  ['strlen("a", "b")', 'strlen takes 1 argument, not 2: strlen(text)'],
])('count of arguments: %s', (call, message) =>
  expect(finding(`range x from 1 to 9 step 1 | summarize y = ${call}`)).toBe(`argument_count at ${call}: ${message}`),
);

const percentages = 'a percentile is a number from 0 to 100, such as 95';
it.each([
  ['percentile(x, 101)', `argument_type at 101: ${percentages}`],
  ['percentile(x, real(null))', `argument_type at real(null): ${percentages}`],
  ['percentiles_array(x, 50, real(null))', `argument_type at real(null): ${percentages}`],
  ['percentiles_array(x, dynamic(["50"]))', `argument_type at dynamic(["50"]): ${percentages}`],
  ['percentiles_array(x, dynamic([50, null]))', `argument_type at dynamic([50, null]): ${percentages}`],
  ['percentiles_arrayif(x, 50, 101, x > 1)', `argument_type at 101: ${percentages}`],
  ['percentiles_array(x, dynamic(null))', `argument_type at dynamic(null): ${percentages}`],
])('percentages: %s', (aggregate, wanted) =>
  expect(finding(`range x from 1 to 9 step 1 | summarize ${aggregate}`)).toBe(wanted),
);

it.each(['topk(x, 1048576)', 'make_list(x, long(null))', 'histogram(x, 250)', 'make_set(x, 2.5)'])(
  'within bounds: %s',
  (aggregate) => expect(finding(`range x from 1 to 9 step 1 | summarize ${aggregate}`)).toBeUndefined(),
);

it('an offset may be any number of rows', () => {
  const prevQuery = (offset: string): string => `range x from 1 to 9 step 1 | serialize p = prev(x, ${offset})`;
  expect(finding(prevQuery('-1'))).toBe('argument_type at -1: offset of prev must be at least 0');
  expect(finding(prevQuery('9223372036854775807'))).toBeUndefined();
});

it.each(['extract(regex_quote("a("), 0, "x")', 'extract("(a)|b", 0, string(null))', 'case(true, dynamic(null))'])(
  '%s is fine',
  (apl) => expect(refusal(apl)).toBeUndefined(),
);
