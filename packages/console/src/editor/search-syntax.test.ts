import { parse } from '@millrace/apl/editor';
import { describe, expect, it } from 'vitest';
import { searchToApl, typedSearchToApl } from './search-syntax.js';

const fields = [
  ['_time', 'datetime'],
  ['level', 'string'],
  ['msg', 'string'],
  ['message', 'string'],
  ['status', 'integer'],
  ['code', 'string'],
  ['duration', 'timespan'],
  ['cached', 'boolean'],
  ['seen', 'datetime'],
  ['trace_id', 'string'],
  ['span_id', 'string'],
  ['http.route', 'string'],
  ['attributes', 'map'],
].map(([name, type]) => ({ name: name!, type: type! }));

/** The steps after the dataset, on one line; each is valid APL. */
function steps(text: string, known: typeof fields | undefined = fields): string {
  const apl = searchToApl(text, 'shop', known);
  expect(parse(apl).diagnostics, apl).toEqual([]);
  const [source, ...rest] = apl.split('\n| ');
  expect(source).toBe('shop');
  return rest.join(' | ');
}

describe('words', () => {
  it.each([
    ['timeout', "search 'timeout'"],
    ['timed out', "search 'timed' and 'out'"],
    ['"timed out" checkout', "search 'timed out' and 'checkout'"],
    ["'timed out'", "search 'timed out'"],
    [String.raw`"say \"hi\" \\ there"`, String.raw`search 'say "hi" \\ there'`],
    ["don't stop", String.raw`search 'don\'t' and 'stop'`],
    ['"timed out', "search 'timed' and 'out'"],
    ['Error: connection, refused;', "search 'Error' and 'connection' and 'refused'"],
    ['/api/pay 10:15:00', "search '/api/pay' and '10:15:00'"],
    ['http://localhost:8080/x?y=1', "search 'http://localhost:8080/x?y=1'"],
    ['pay* timeout', "search 'pay*' and 'timeout'"],
    ['a -> b', "search 'a' and 'b'"],
    ['a a b', "search 'a' and 'b'"],
    ['!!!', "search '!!!'"],
    ['not found', "search 'not' and 'found'"],
    ['žluťoučký 支付', "search 'žluťoučký' and '支付'"],
    ['', ''],
  ])('%j', (text, apl) => expect(steps(text)).toBe(apl));
});

describe('operators', () => {
  it.each([
    ['timeout -health', "search 'timeout' and not('health')"],
    ['timeout NOT health', "search 'timeout' and not('health')"],
    ['-"timed out"', "search not('timed out')"],
    ['a AND b', "search 'a' and 'b'"],
    ['a OR b c', "search 'a' or 'b' and 'c'"],
    ['a (b OR c)', "search 'a' and ('b' or 'c')"],
    ['NOT (b OR c)', "search not('b' or 'c')"],
    ['NOT (a b) c', "search not('a' and 'b') and 'c'"],
    ['(a OR', "search 'a'"],
    ['a) b', "search 'a' and 'b'"],
    ['OR AND NOT', "search 'OR AND NOT'"],
    ['well-known', "search 'well-known'"],
    ['status:500 OR timeout', "search status == 500 or 'timeout'"],
    ['level:error OR status>=500 checkout', "search level has 'error' or status >= 500 and 'checkout'"],
    ['(level:error OR status>=500) checkout', "where level has 'error' or status >= 500 | search 'checkout'"],
    ['(level:error OR status>=500) -cached:true', "where (level has 'error' or status >= 500) and not(cached == true)"],
  ])('%j', (text, apl) => expect(steps(text)).toBe(apl));
});

describe('fields', () => {
  it.each([
    ['status:500 -health', "where status == 500 | search not('health')"],
    ['level=error', "where level == 'error'"],
    ['level:error', "where level has 'error'"],
    ['LEVEL:error', "where level has 'error'"],
    ['status>=500', 'where status >= 500'],
    ['status:>=500', 'where status >= 500'],
    ['status >= 500', 'where status >= 500'],
    ['status = 500 timeout', "where status == 500 | search 'timeout'"],
    ['status!=200', 'where status != 200'],
    ['-status:200', 'where not(status == 200)'],
    ['NOT status:200', 'where not(status == 200)'],
    ['code:500', "where code has '500'"],
    ['code=500', "where code == '500'"],
    ['status:"500"', "where status has '500'"],
    ['msg:"timed out"', "where msg has 'timed out'"],
    ["msg has 'timed out'", "where msg has 'timed out'"],
    ['level = error AND status > 400', "where level == 'error' and status > 400"],
    ["level == 'error' and status > 400", "where level == 'error' and status > 400"],
    ["level == 'error' or status > 400", "where level == 'error' or status > 400"],
    ['msg:time*', "where msg hasprefix 'time'"],
    ['trace_id:*', 'where isnotnull(trace_id)'],
    ['_exists_:trace_id AND NOT _exists_:code', 'where isnotnull(trace_id) and not(isnotnull(code))'],
    ['msg:*time* code:*00', "where msg contains 'time' and code endswith '00'"],
    ['status:[400 TO 499]', 'where (status >= 400 and status <= 499)'],
    ['status:{400 TO *]', 'where status > 400'],
    ['NOT status:[400 TO 499]', 'where not((status >= 400 and status <= 499))'],
    [
      'status:(400 OR 404) -level:(warn or "info")',
      "where (status == 400 or status == 404) and not((level has 'warn' or level has 'info'))",
    ],
    ['msg:/pay.*out/', "where msg matches regex '^(?:pay.*out)$'"],
    ['+level:error +"timed out"~2', "where level has 'error' | search 'timed out'"],
    ['level: "error" and status >= 400', "where level has 'error' and status >= 400"],
    ['not level : error', "where not(level has 'error')"],
    ['duration>100ms', 'where duration > 100ms'],
    ['cached:true', 'where cached == true'],
    ['seen>2026-11-29', 'where seen > datetime(2026-11-29)'],
    ['http.route:/pay', "where http.route has '/pay'"],
    ['attributes.user.id:42', 'where attributes.user.id == 42'],
    ['user:42', "search 'user:42'"],
    ['user=42 level=error', "where level == 'error' | search 'user=42'"],
    [String.raw`msg="a \"b\" 'c'"`, String.raw`where msg == 'a "b" \'c\''`],
  ])('%j', (text, apl) => expect(steps(text)).toBe(apl));

  it('any name is a field while the fields are not known', () => {
    const apl = searchToApl('user:42 "timed out"', 'shop');
    expect(apl).toBe("shop\n| where user == 42\n| search 'timed out'");
  });
});

describe('pasted text', () => {
  const id = '4bf92f3577b34da6a3ce929d0e0e4736';
  it.each([
    [id, `where trace_id == '${id}'`],
    [id.toUpperCase(), `where trace_id == '${id}'`],
    ['00f067aa0ba902b7', "where trace_id == '00f067aa0ba902b7' or span_id == '00f067aa0ba902b7'"],
    ['1234567890123456', "search '1234567890123456'"],
    ['3f2504e0-4f89-11d3-9a0c-0305e82c3301', "search '3f2504e0-4f89-11d3-9a0c-0305e82c3301'"],
    [
      '2026-11-26T10:00:00.123Z ERROR [checkout] payment timed out after 30s - AND gone',
      "search 'ERROR' and 'checkout' and 'payment' and 'timed' and 'out' and 'after' and '30s' and 'gone'",
    ],
    ['<34>Nov 26 10:00:00 web-1 sshd[42]: failed', "search 'web-1' and 'sshd' and '42' and 'failed'"],
    ['2026-11-26 10:00:00 level=error status=500 slow', "where level == 'error' and status == 500 | search 'slow'"],
    ['2026-11-26 10:00:00 boom\n  at pay.js:12', "search 'boom'"],
    [
      '{"level":"error","status":500,"msg":"it\'s"}',
      String.raw`where msg == 'it\'s' and level == 'error' and status == 500`,
    ],
    [`{"_time":"2026-11-26","status":1,"trace_id":"${id}"}`, `where trace_id == '${id}' and status == 1`],
    ['{"http":{"route":"/pay"},"n":[1],"x":null}', "where http.route == '/pay'"],
    ['{"status":12345678901234567890,"cached":true}', 'where cached == true'],
    ['{"unknown":"thing","n":1}', "search 'thing'"],
    ['[{"level":"warn"}]', "where level == 'warn'"],
    ['{"level":"warn"},', "where level == 'warn'"],
    ['{broken "json"', "search '{broken' and 'json'"],
  ])('%j', (text, apl) => expect(steps(text)).toBe(apl));

  it('limits the words of a long text', () => {
    const text = Array.from({ length: 100 }, (_, n) => `word${n}`).join(' ');
    expect(steps(text).match(/word/g)).toHaveLength(16);
  });
});

it.each([
  ['timed out', "shop\n| search 'timed' and 'out'"],
  ['web-logs timed out', "['web-logs']\n| search 'timed' and 'out'"],
  ['web-logs x:1', "['web-logs']\n| where x == 1"],
  ['other x:1', "shop\n| search 'other' and 'x:1'"],
])('the dataset of %j', (text, apl) => {
  const datasets = [
    { name: 'shop', fields },
    { name: 'web-logs', fields: [{ name: 'x', type: 'integer' }] },
  ];
  expect(typedSearchToApl(text, 'shop', datasets)).toBe(apl);
});
