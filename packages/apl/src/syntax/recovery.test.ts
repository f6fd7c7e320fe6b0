import { describe, expect, test } from 'vitest';
import { expectedRecovery, recoveryOf } from '../testing/check-recovery.js';
import type { RecoveryCase } from '../testing/check-recovery.js';
import { parse } from './parse.js';

const cases: Readonly<Record<string, readonly RecoveryCase[]>> = {
  'operators between values': [
    [
      't | join kind=Inner (u) on a',
      ['t | join kind=«Inner» kind=Inner is written kind=inner'],
      't | join kind=inner (u) on a',
    ],
    ['t | join KIND=inner (u) on a', ['t | join «KIND» KIND is written kind'], 't | join kind=inner (u) on a'],
    [
      't | join (u) on k = k',
      [
        't | join (u) on «k = k» columns are matched by their common name, as in on k, or by $left.a == $right.b; write k',
      ],
      't | join (u) on k',
    ],
    [
      't | join (u) on a = b',
      [
        't | join (u) on «a = b» columns are matched by their common name, as in on k, or by $left.a == $right.b; write $left.a == $right.b',
      ],
      't | join (u) on $left.a == $right.b',
    ],
    [
      'let f = (a int) { a }; print f(1)',
      ['let f = («a int» a type follows a colon: a: int'],
      'let f = (a: int) { a }; print f(1)',
    ],
    ['datatable(a int)[1]', ['datatable(«a int» a type follows a colon: a: int'], 'datatable(a: int)[1]'],
    [
      "t | where a == 'it''s'",
      ["t | where a == «'it''s'» a quote within a text is written \\': 'it\\'s'"],
      "t | where a == 'it\\'s'",
    ],
    ['t | where a = 5', ['t | where a «=» = gives a name to a column; to compare, write =='], 't | where a == 5'],
    ['t | where a AND b', ['t | where a «AND» operators are written in lower case: and'], 't | where a and b'],
    [
      't | where a && b || c',
      ['t | where a «&&» there is no &&; write and', 't | where a && b «||» there is no ||; write or'],
      't | where a and b or c',
    ],
    [
      't | where a matches "x"',
      ['t | where a «matches» matches is written matches regex'],
      't | where a matches regex "x"',
    ],
    ['t | where a not in (1)', ['t | where a «not in» not in is written !in'], 't | where a !in (1)'],
    [
      't | where a not contains "x"',
      ['t | where a «not contains» not contains is written !contains'],
      't | where a !contains "x"',
    ],
    [
      't | where a not matches regex "x"',
      ['t | where a «not matches regex» not matches is written !matches regex'],
      't | where a !matches regex "x"',
    ],
    [
      't | where a contians "x"',
      ['t | where a «contians» there is no operator contians; did you mean contains?'],
      't | where a contains "x"',
    ],
    [
      't | where a startWith "x"',
      ['t | where a «startWith» there is no operator startWith; did you mean startswith?'],
      't | where a startswith "x"',
    ],
    [
      't | where a like "x"',
      [
        't | where a «like» there is no operator like; use contains, startswith or matches regex; there are no % patterns',
      ],
    ],
    [
      't | where a is null',
      ['t | where a «is» there is no operator is; use isnull(x) or isnotnull(x), and == to compare'],
    ],
    ['t | where a => 5', ['t | where a «=>» => is written >='], 't | where a >= 5'],
    [
      't | where a < b < c',
      ['t | where a < b «<» comparisons do not chain; join two of them with and, or put brackets around one'],
    ],
    ['t | where !a', ['t | where «!a» negation is written not(…)'], 't | where not a'],
    ['t | where !f(a) and b', ['t | where «!f» negation is written not(…)'], 't | where not f(a) and b'],
    ['t | where !(a)', ['t | where «!» negation is written not(…)'], 't | where not(a)'],
    ['t | where !contains "x"', ['t | where «!contains» expected a value, but found !contains']],
    [
      't | where a between (1, 2)',
      ['t | where a between (1«,» expected .. between the two ends of the range, but found ,'],
      't | where a between (1.. 2)',
    ],
    [
      't | where a in [1, 2]',
      ['t | where a in «[1, 2]» the list after in stands in round brackets'],
      't | where a in (1, 2)',
    ],
    ['t | extend a = * + 1', ['t | extend a = «*» * stands for all fields here; there is nothing to compute with it']],
  ],

  values: [
    [
      't | where a == “x”',
      ['t | where a == «“x”» “ is a typographic quote; strings are quoted with " or \''],
      't | where a == "x"',
    ],
    ['[‘t’] | count', ['[«‘t’» ‘ is a typographic quote; strings are quoted with " or \''], "['t'] | count"],
    [
      't | where a == "x\n| count',
      [
        't | where a == «"x» this string is not closed; add " at its end; a line break inside is written \\n, or use a ``` string',
      ],
      't | where a == "x"\n| count',
    ],
    [
      String.raw`t | where a matches regex "\d"`,
      [
        String.raw`(warning) t | where a matches regex "«\d» \d is no escape; it is read as a backslash and a letter; write \\d or a raw string: @"…"`,
      ],
      String.raw`t | where a matches regex "\\d"`,
    ],
    [
      't | where a == TRUE',
      ["(warning) t | where a == «TRUE» true is written in lower case; a field of this name is written ['TRUE']"],
      't | where a == true',
    ],
    [
      't | where d > 5mni',
      [
        "t | where d > «5mni» mni is no unit of time; units are w, d, h, m, s, ms, us, ns; a name that begins with a digit is quoted: ['5mni']",
      ],
      't | where d > 5min',
    ],
    ['t | where d > 9999999d', ['t | where d > «9999999d» the timespan 9999999d is longer than about 292 years']],
    [
      't | where a > 9223372036854775808',
      [
        't | where a > «9223372036854775808» the number is too large for 64 bits; in events such numbers are texts, so write it in quotes, or with a point and a zero at its end for a real',
      ],
    ],
    [
      't | where a > 99999999999999999999',
      [
        't | where a > «99999999999999999999» the number is too large for 64 bits; in events such numbers are texts, so write it in quotes, or with a point and a zero at its end for a real',
      ],
    ],
    [
      'print datetime(2024-02-30)',
      [
        'print datetime(«2024-02-30» 2024-02-30 is no datetime; write it like datetime(2024-01-15) or datetime(2024-01-15T10:30:00Z)',
      ],
    ],
    [
      'print datetime(_time)',
      ['print datetime(«_time» datetime(…) holds a literal; to convert a value, use todatetime(…)'],
    ],
    [
      'print timespan(5)',
      ['print timespan(«5» 5 is no timespan; write it like timespan(15s), timespan(1.5h) or timespan(1.02:03:04)'],
    ],
    [
      'print long("5")',
      ['print long(«"5"» long(…) holds a literal without quotes; to convert a string, use tolong(…)'],
    ],
    ['print int(1.5)', ['print int(«1.5» int(…) cannot hold a real; to convert it, use tolong(…)']],
    ['print 1\n2', ['(warning) print 1\n«2» a comma is missing before 2'], 'print 1\n, 2'],
    [
      'print [1, 2]',
      ["print «[1, 2]» an array is written dynamic([…]); a quoted name holds one string: ['name']"],
      'print dynamic([1, 2])',
    ],
    ['print {"a": 1}', ['print «{» an object is written dynamic({"key": value})']],
    ['print dynamic({a: 1})', ['print dynamic({«a» expected a key in quotes, but found a'], 'print dynamic({"a": 1})'],
    ['print .5', ['print «.» a number begins with a digit: 0.5'], 'print 0.5'],
    ['print a.0', ['print a«.0» an element is read with square brackets: [0]'], 'print a[0]'],
    ['print a[1:2]', ['print a[1«:» slices of an array are taken with array_slice(array, start, end)']],
    ["print ['len'](a)", ["print «['len']» functions are called by their plain name: len(…)"], 'print len(a)'],
    [
      'print typeof(integer)',
      [
        'print typeof(«integer» integer is no type; there are bool, long, real, string, datetime, timespan and dynamic; did you mean long?',
      ],
      'print typeof(long)',
    ],
    [
      'print größe',
      ["print «größe» the name größe must be quoted because of its letters: ['größe']"],
      "print ['größe']",
    ],
    ['print 5 – 3', ['print 5 «–» – is a typographic dash; write -'], 'print 5 - 3'],
    [
      'print `a`',
      [
        'print «`» a backtick quotes nothing here; names are quoted as [\'name\'], strings as "text"',
        'print `a«`» a backtick quotes nothing here; names are quoted as [\'name\'], strings as "text"',
      ],
    ],
    ['print 1 /* one */', ['print 1 «/* one */» there are no block comments; begin each line of the comment with //']],
    ['print a #', ['print a «#» "#" has no meaning here; a comment begins with //']],
    ['print a §', ['print a «§» "§" has no meaning here']],
    ['print ago(1 h)', ['print ago(«1 h» there is no blank in a timespan: 1h'], 'print ago(1h)'],
    ['print a = 1.5\n h = 2', ['(warning) print a = 1.5\n «h» a comma is missing before h'], 'print a = 1.5\n , h = 2'],
    ['print x in (1 .. 2)', ['print x in (1 «..» a range is no list; it is tested by value between (low .. high)']],
    [
      't | summarize count(distinct a)',
      ['t | summarize count(«distinct» there is no distinct in a call; different values are counted by dcount(value)'],
    ],
    ['t | summarize count(distinct)', []],
    ['t | where iff(distinct contains "x", distinct has "y", distinct and z)', []],
  ],
  names: [
    ['web-logs | count', ["«web-logs» a name with a dash must be quoted: ['web-logs']"], "['web-logs'] | count"],
    [
      'logs-2024-* | count',
      ["«logs-2024-*» a name with a dash must be quoted: ['logs-2024-']*"],
      "['logs-2024-']* | count",
    ],
    [
      "logs-['a*']* | count",
      ["«logs-['a*']*» a name with a dash must be quoted: ['logs-a*']*"],
      "['logs-a*']* | count",
    ],
    [
      'web.logs | count',
      ["«web.logs» a dataset name with a point must be quoted: ['web.logs']"],
      "['web.logs'] | count",
    ],
    [
      '"logs" | count',
      ['«"logs"» expected a dataset, such as [\'name\']; a quoted name has brackets: [\'name\'], but found "logs"'],
      '["logs"] | count',
    ],
    [
      't | project a, geo*',
      ['t | project a, «geo*» project takes no patterns; project-keep geo* keeps the columns as they are'],
    ],
    ['t | project *', ['t | project «*» project takes no patterns; project-keep * keeps the columns as they are']],
    [
      't | extend geo.city = 1',
      ["t | extend «geo.city» a column name with a point or dash must be quoted: ['geo.city']"],
      "t | extend ['geo.city'] = 1",
    ],
    [
      't | extend a-b = 1',
      ["t | extend «a-b» a column name with a point or dash must be quoted: ['a-b']"],
      "t | extend ['a-b'] = 1",
    ],
    [
      't | project a as b',
      ['t | project «a as b» a column is named before its value: name = value'],
      't | project b = a',
    ],
  ],

  operators: [
    ['t | wher a', ['t | «wher» there is no operator wher; did you mean where?'], 't | where a'],
    ['t | WHERE a', ['t | «WHERE» there is no operator WHERE; did you mean where?'], 't | where a'],
    [
      't | project-awy a',
      ['t | «project-awy» there is no operator project-awy; did you mean project-away?'],
      't | project-away a',
    ],
    ['t | select a', ['t | «select» there is no operator select; did you mean project?'], 't | project a'],
    ['t | frobnicate a | count', ['t | «frobnicate» there is no operator frobnicate']],
    ['t | | count', ['t | «|» expected an operator after |, such as where or summarize, but found |']],
    ['t where a', ['t «where» a | is missing before where'], 't | where a'],
    ['t | where a\ntake 5', ['t | where a\n«take» a | is missing before take'], 't | where a\n| take 5'],
    [
      't | parse m with "x" a\nwhere a',
      ['t | parse m with "x" a\n«where» a | is missing before where'],
      't | parse m with "x" a\n| where a',
    ],
    [
      't | count()',
      ['t | «count()» the operator count has no arguments; the function is used in summarize: summarize count()'],
      't | count',
    ],
    [
      't | count by a',
      ['t | «count by» rows are counted by group with summarize count() by …'],
      't | summarize count() by a',
    ],
    [
      't | summarize count by a',
      ['t | summarize «count» the number of rows is written count()'],
      't | summarize count() by a',
    ],
    ['t | sort a', ['t | «sort» expected by after sort, but found a'], 't | sort by a'],
    ['t | sort by a DESC', ['t | sort by a «DESC» DESC is written desc'], 't | sort by a desc'],
    [
      't | sort by a nulls',
      ['t | sort by a nulls«» expected first or last after nulls, but found the end of the query'],
    ],
    ['t | top 5 by a, b', ['t | top 5 by a«,» top has one key; for several, use sort by a, b | take N']],
    ['t | top 5', ['t | top 5«» expected by after the number of rows, but found the end of the query']],
    ['t | take', ['t | take«» take takes the number of rows, as in take 10']],
    [
      't | join kind=iner u on a',
      [
        't | join kind=«iner» kind=iner does not exist; there is inner, innerunique, leftouter, rightouter, fullouter, leftsemi, rightsemi, leftanti, rightanti, anti, leftantisemi, rightantisemi',
      ],
      't | join kind=inner u on a',
    ],
    ['t | join (u)', ['t | join (u)«» expected on and the columns to match, but found the end of the query']],
    [
      't | make-series count() on _time',
      ['t | make-series count() on _time«» expected step, and the width of a time bin, but found the end of the query'],
    ],
    [
      't | make-series count() on _time on b step 1s',
      ['t | make-series count() on _time «on» make-series has on twice'],
    ],
    [
      't | parse m "x" a',
      [
        't | parse m «"x"» expected with before the pattern, but found "x"',
        't | parse m "x" a«» expected a pattern: texts in quotes, columns and *, but found the end of the query',
      ],
    ],
    [
      't | parse m with "a", b',
      ['(warning) t | parse m with "a"«,» the parts of a pattern are not separated by commas'],
      't | parse m with "a" b',
    ],
    [
      't | extend a == 5',
      ['(warning) t | extend a «==» this adds a column of true and false; to set a, write ='],
      't | extend a = 5',
    ],
    [
      't | redact replacetoken="x" "y"',
      ['t | redact «replacetoken» redact has no option replacetoken; there is replaceToken, replaceHash, redactGroups'],
      't | redact replaceToken="x" "y"',
    ],
    ['t | search "a" "b"', ['t | search "a" «"b"» terms are joined by and or or'], 't | search "a" and "b"'],
    [
      't | project a b',
      ['t | project a «b» expected a comma or the end of the list, but found b'],
      't | project a , b',
    ],
    [
      't | mv-expand a to long',
      ['t | mv-expand a to «long» expected typeof after to: to typeof(string), but found long'],
    ],
  ],
};

describe.each(Object.entries(cases))('%s', (_, table) => {
  test.each(table.map(expectedRecovery))('$text', ({ text, ...recovery }) => {
    expect(recoveryOf(text)).toEqual(recovery);
  });
});

test('several mistakes are reported at once', () => {
  const text =
    'logs | where status = 500 and | take abc def | conut | summarize n = sum(, a) by x y | extend z = "open';
  const found = parse(text).diagnostics;
  const marked = found.map(({ span }) => text.slice(span.start, span.end));
  expect(marked.join(' ')).toBe('= | def conut , y "open');
});

test('an error node stands where a value is missing, and the rest is kept', () => {
  const { program } = parse('logs | where a == | project b');
  expect(program.query?.operators.map(({ kind }) => kind)).toEqual(['where', 'project']);
});
