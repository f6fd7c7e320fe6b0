import { describe, expect, test } from 'vitest';
import { findings, fixed } from '../testing/check-syntax.js';
import { parse } from './parse.js';

/** Text, findings, and the text with every fix applied where there is one. */
type Case = readonly [text: string, findings: readonly string[], fixed?: string];

const cases: Readonly<Record<string, readonly Case[]>> = {
  'operators between values': [
    ['t | where a = 5', ['t | where a «=» = gives a name to a column; to compare, write ==.'], 't | where a == 5'],
    ['t | where a AND b', ['t | where a «AND» Operators are written in lower case: and.'], 't | where a and b'],
    [
      't | where a && b || c',
      ['t | where a «&&» There is no &&; write and.', 't | where a && b «||» There is no ||; write or.'],
      't | where a and b or c',
    ],
    [
      't | where a matches "x"',
      ['t | where a «matches» matches is written matches regex.'],
      't | where a matches regex "x"',
    ],
    ['t | where a not in (1)', ['t | where a «not in» not in is written !in.'], 't | where a !in (1)'],
    [
      't | where a not contains "x"',
      ['t | where a «not contains» not contains is written !contains.'],
      't | where a !contains "x"',
    ],
    [
      't | where a not matches regex "x"',
      ['t | where a «not matches regex» not matches is written !matches regex.'],
      't | where a !matches regex "x"',
    ],
    [
      't | where a contians "x"',
      ['t | where a «contians» There is no operator contians; did you mean contains?'],
      't | where a contains "x"',
    ],
    [
      't | where a startWith "x"',
      ['t | where a «startWith» There is no operator startWith; did you mean startswith?'],
      't | where a startswith "x"',
    ],
    [
      't | where a like "x"',
      [
        't | where a «like» There is no operator like. Use contains, startswith or matches regex; there are no % patterns.',
      ],
    ],
    [
      't | where a is null',
      ['t | where a «is» There is no operator is. Use isnull(x) or isnotnull(x), and == to compare.'],
    ],
    ['t | where a => 5', ['t | where a «=>» => is written >=.'], 't | where a >= 5'],
    [
      't | where a < b < c',
      ['t | where a < b «<» Comparisons do not chain. Join two of them with and, or put brackets around one.'],
    ],
    ['t | where !a', ['t | where «!a» Negation is written not(…).'], 't | where not a'],
    ['t | where !f(a) and b', ['t | where «!f» Negation is written not(…).'], 't | where not f(a) and b'],
    ['t | where !(a)', ['t | where «!» Negation is written not(…).'], 't | where not(a)'],
    ['t | where !contains "x"', ['t | where «!contains» Expected a value, but found !contains.']],
    [
      't | where a between (1, 2)',
      ['t | where a between (1«,» Expected .. between the two ends of the range, but found ,.'],
      't | where a between (1.. 2)',
    ],
    [
      't | where a in [1, 2]',
      ['t | where a in «[1, 2]» The list after in stands in round brackets.'],
      't | where a in (1, 2)',
    ],
    ['t | where f:"x"', ['t | where f«:» Expected | or the end of the query, but found :.']],
    ['t | extend a = * + 1', ['t | extend a = «*» * stands for all fields here; there is nothing to compute with it.']],
  ],

  values: [
    [
      't | where a == “x”',
      ['t | where a == «“x”» “ is a typographic quote. Strings are quoted with " or \'.'],
      't | where a == "x"',
    ],
    ['[‘t’] | count', ['[«‘t’» ‘ is a typographic quote. Strings are quoted with " or \'.'], "['t'] | count"],
    [
      't | where a == "x\n| count',
      [
        't | where a == «"x» This string is not closed. Add " at its end; a line break inside is written \\n, or use a ``` string.',
      ],
      't | where a == "x"\n| count',
    ],
    [
      String.raw`t | where a matches regex "\d"`,
      [
        String.raw`(warning) t | where a matches regex "«\d» \d is no escape; it is read as a backslash and a letter. Write \\d or a raw string: @"…".`,
      ],
      String.raw`t | where a matches regex "\\d"`,
    ],
    [
      't | where a == TRUE',
      ["t | where a == «TRUE» true is written in lower case. A field of this name is written ['TRUE']."],
      't | where a == true',
    ],
    [
      't | where d > 5mni',
      [
        "t | where d > «5mni» mni is no unit of time; units are d, h, m, s, ms, us, ns. A name that begins with a digit is quoted: ['5mni'].",
      ],
      't | where d > 5min',
    ],
    ['t | where d > 9999999d', ['t | where d > «9999999d» The timespan 9999999d is longer than about 292 years.']],
    [
      't | where a > 9223372036854775808',
      [
        't | where a > «9223372036854775808» The number is too large for 64 bits. Write it with a point and a zero at its end to use a real.',
      ],
    ],
    [
      't | where a > 99999999999999999999',
      [
        't | where a > «99999999999999999999» The number is too large for 64 bits. Write it with a point and a zero at its end to use a real.',
      ],
    ],
    [
      'print datetime(2024-02-30)',
      [
        'print datetime(«2024-02-30» 2024-02-30 is no datetime. Write it like datetime(2024-01-15) or datetime(2024-01-15T10:30:00Z).',
      ],
    ],
    [
      'print datetime(_time)',
      ['print datetime(«_time» datetime(…) holds a literal. To convert a value, use todatetime(…).'],
    ],
    [
      'print timespan(5)',
      ['print timespan(«5» 5 is no timespan. Write it like timespan(15s), timespan(1.5h) or timespan(1.02:03:04).'],
    ],
    [
      'print long("5")',
      ['print long(«"5"» long(…) holds a literal without quotes. To convert a string, use tolong(…).'],
    ],
    ['print int(1.5)', ['print int(«1.5» int(…) cannot hold a real. To convert it, use tolong(…).']],
    ['print 1\n2', ['(warning) print 1\n«2» A comma is missing before 2.'], 'print 1\n, 2'],
    [
      'print [1, 2]',
      ["print «[1, 2]» An array is written dynamic([…]); a quoted name holds one string: ['name']."],
      'print dynamic([1, 2])',
    ],
    ['print {"a": 1}', ['print «{» An object is written dynamic({"key": value}).']],
    ['print dynamic({a: 1})', ['print dynamic({«a» Expected a key in quotes, but found a.'], 'print dynamic({"a": 1})'],
    ['print .5', ['print «.» Expected a value, but found ..'], 'print 0.5'],
    ['print a.0', ['print a«.0» An element is read with square brackets: [0].'], 'print a[0]'],
    ['print a[1:2]', ['print a[1«:» Slices of an array are taken with array_slice(array, start, end).']],
    ["print ['len'](a)", ["print «['len']» Functions are called by their plain name: len(…)."], 'print len(a)'],
    [
      'print typeof(integer)',
      [
        'print typeof(«integer» integer is no type; did you mean long? There are bool, long, real, string, datetime, timespan and dynamic.',
      ],
      'print typeof(long)',
    ],
    [
      'print größe',
      ["print «größe» The name größe must be quoted because of its letters: ['größe']."],
      "print ['größe']",
    ],
    ['print 5 – 3', ['print 5 «–» – is a typographic dash. Write -.'], 'print 5 - 3'],
    [
      'print `a`',
      [
        'print «`» A backtick quotes nothing here. Names are quoted as [\'name\'], strings as "text".',
        'print `a«`» A backtick quotes nothing here. Names are quoted as [\'name\'], strings as "text".',
      ],
    ],
    ['print 1 /* one */', ['print 1 «/* one */» There are no block comments. Begin each line of the comment with //.']],
    ['print a #', ['print a «#» "#" has no meaning here.']],
  ],
  names: [
    ['web-logs | count', ["«web-logs» A name with a dash must be quoted: ['web-logs']."], "['web-logs'] | count"],
    [
      'logs-2024-* | count',
      ["«logs-2024-*» A name with a dash must be quoted: ['logs-2024-']*."],
      "['logs-2024-']* | count",
    ],
    [
      'web.logs | count',
      ["«web.logs» A dataset name with a point must be quoted: ['web.logs']."],
      "['web.logs'] | count",
    ],
    [
      '"logs" | count',
      ['«"logs"» Expected a dataset, such as [\'name\']; a quoted name has brackets: [\'name\'], but found "logs".'],
      '["logs"] | count',
    ],
    [
      't | project a, geo*',
      ['t | project a, «geo*» project takes no patterns; project-keep geo* keeps the columns as they are.'],
    ],
    ['t | project *', ['t | project «*» project takes no patterns; project-keep * keeps the columns as they are.']],
    [
      't | extend geo.city = 1',
      ["t | extend «geo.city» A column name with a point or dash must be quoted: ['geo.city']."],
      "t | extend ['geo.city'] = 1",
    ],
    [
      't | extend a-b = 1',
      ["t | extend «a-b» A column name with a point or dash must be quoted: ['a-b']."],
      "t | extend ['a-b'] = 1",
    ],
    ["t | project ['']", ["t | project «['']» A name cannot be empty."]],
    [
      't | project a as b',
      ['t | project «a as b» A column is named before its value: name = value.'],
      't | project b = a',
    ],
  ],

  operators: [
    ['t | wher a', ['t | «wher» There is no operator wher; did you mean where?'], 't | where a'],
    ['t | WHERE a', ['t | «WHERE» There is no operator WHERE; did you mean where?'], 't | where a'],
    [
      't | project-awy a',
      ['t | «project-awy» There is no operator project-awy; did you mean project-away?'],
      't | project-away a',
    ],
    ['t | select a', ['t | «select» There is no operator select; did you mean project?'], 't | project a'],
    ['t | frobnicate a | count', ['t | «frobnicate» There is no operator frobnicate.']],
    ['t | | count', ['t | «|» Expected an operator after |, such as where or summarize, but found |.']],
    ['t where a', ['t «where» A | is missing before where.'], 't | where a'],
    ['t | where a\ntake 5', ['t | where a\n«take» A | is missing before take.'], 't | where a\n| take 5'],
    [
      't | parse m with "x" a\nwhere a',
      ['t | parse m with "x" a\n«where» A | is missing before where.'],
      't | parse m with "x" a\n| where a',
    ],
    [
      't | count()',
      ['t | «count()» The operator count has no arguments; the function is used in summarize: summarize count().'],
      't | count',
    ],
    [
      't | count by a',
      ['t | «count by» Rows are counted by group with summarize count() by ….'],
      't | summarize count() by a',
    ],
    [
      't | summarize count by a',
      ['t | summarize «count» The number of rows is written count().'],
      't | summarize count() by a',
    ],
    ['t | sort a', ['t | «sort» Expected by after sort, but found a.'], 't | sort by a'],
    ['t | sort by a DESC', ['t | sort by a «DESC» DESC is written desc.'], 't | sort by a desc'],
    [
      't | sort by a nulls',
      ['t | sort by a nulls«» Expected first or last after nulls, but found the end of the query.'],
    ],
    ['t | top 5 by a, b', ['t | top 5 by a«,» top has one key. For several, use sort by a, b | take N.']],
    ['t | top 5', ['t | top 5«» Expected by after the number of rows, but found the end of the query.']],
    ['t | take', ['t | take«» Expected a value, but found the end of the query.']],
    [
      't | join kind=iner u on a',
      [
        't | join kind=«iner» kind=iner does not exist; there is inner, innerunique, leftouter, rightouter, fullouter, leftsemi, rightsemi, leftanti, rightanti, anti, leftantisemi, rightantisemi.',
      ],
      't | join kind=inner u on a',
    ],
    ['t | join (u)', ['t | join (u)«» Expected on and the columns to match, but found the end of the query.']],
    [
      't | union kind=inner u',
      ['t | union «kind» union keeps the columns of all tables. To keep common ones, add project.'],
    ],
    [
      't | make-series count() on _time',
      [
        't | make-series count() on _time«» Expected step, and the width of a time bin, but found the end of the query.',
      ],
    ],
    [
      't | make-series count() on _time on b step 1s',
      ['t | make-series count() on _time «on» make-series has on twice.'],
    ],
    [
      't | parse m "x" a',
      [
        't | parse m «"x"» Expected with before the pattern, but found "x".',
        't | parse m "x" a«» Expected a pattern: texts in quotes, columns and *, but found the end of the query.',
      ],
    ],
    [
      't | parse m with "a", b',
      ['(warning) t | parse m with "a"«,» The parts of a pattern are not separated by commas.'],
      't | parse m with "a" b',
    ],
    [
      't | extend a == 5',
      ['(warning) t | extend a «==» This adds a column of true and false. To set a, write =.'],
      't | extend a = 5',
    ],
    [
      't | redact replacetoken="x" "y"',
      [
        't | redact «replacetoken» redact has no option replacetoken; there is replaceToken, replaceHash, redactGroups.',
      ],
      't | redact replaceToken="x" "y"',
    ],
    ['t | search "a" "b"', ['t | search "a" «"b"» Terms are joined by and or or.'], 't | search "a" and "b"'],
    [
      't | project a b',
      ['t | project a «b» Expected a comma or the end of the list, but found b.'],
      't | project a , b',
    ],
    [
      't | mv-expand a to long',
      ['t | mv-expand a to «long» Expected typeof after to: to typeof(string), but found long.'],
    ],
  ],

  'brackets and statements': [
    [
      't | where (a == 1 | count',
      ['t | where (a == 1 «|» Expected ) to close the ( at line 1, column 11, but found |.'],
      't | where (a == 1 ) | count',
    ],
    [
      'print f(1, (2)',
      ['print f(1, (2)«» Expected ) to close the ( at line 1, column 8, but found the end of the query.'],
      'print f(1, (2))',
    ],
    ['t | where a) | count', ['t | where a«)» This ) closes nothing.'], 't | where a | count'],
    ['t;\n| count', ['t«;» The ; ends the query before its next |.'], 't\n| count'],
    ['let x = 5\nt | take x', ['let x = 5«» Expected ; after the statement, but found t.'], 'let x = 5;\nt | take x'],
    [
      "let x = dynamic([1])\n['t'] | where a in (x)",
      ['let x = dynamic([1])«» Expected ; after the statement, but found [.'],
      "let x = dynamic([1]);\n['t'] | where a in (x)",
    ],
    ['let x = 5 | count; t', ['let x = 5 «|» A pipeline begins with a table, not with a value.']],
    ['t | count; u | count', ['t | count; «u» A text holds one query. Name the earlier one with let, or remove it.']],
    [
      'let f = () { let x = 1; x }; t',
      ['let f = () { «let» A function cannot hold let. Define the value before the function.'],
    ],
    [
      'declare parameters (a: int); t',
      ['declare «parameters» Expected query_parameters after declare, but found parameters.'],
      'declare query_parameters (a: int); t',
    ],
    [
      'declare query_parameters (a); t',
      ['declare query_parameters (a«)» Expected : after the name of a parameter, but found ).'],
    ],
    ['', ["«» Expected a query, such as ['dataset'] | count."]],
    ['// nothing', ["«» Expected a query, such as ['dataset'] | count."]],
    ['let x = 1;', ["let x = 1;«» Expected a query, such as ['dataset'] | count."]],
    ['| where a', ["«|» Expected a dataset, such as ['name'], but found |."]],
  ],
};

describe.each(Object.entries(cases))('%s', (_, table) => {
  const named = table.map(([text, expected, mended]) => ({ text, expected, mended }));
  test.each(named)('$text', ({ text, expected, mended }) => {
    expect(findings(text)).toEqual(expected);
    expect(fixed(text)).toBe(mended ?? text);
    expect(mended === undefined ? [] : findings(mended)).toEqual([]);
  });
});

test('several mistakes are reported at once', () => {
  const text =
    'logs | where status = 500 and | take abc def | conut | summarize n = sum(, a) by x y | extend z = "open';
  const found = parse(text).diagnostics;
  expect(found.map(({ span }) => text.slice(span.start, span.end))).toEqual([
    '=',
    '|',
    'def',
    'conut',
    ',',
    'y',
    '"open',
  ]);
});

test('an error node stands where a value is missing, and the rest is kept', () => {
  const { program } = parse('logs | where a == | project b');
  expect(program.query?.operators.map(({ kind }) => kind)).toEqual(['where', 'project']);
});
