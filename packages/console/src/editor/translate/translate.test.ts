import { parse } from '@millrace/apl/editor';
import { describe, expect, it } from 'vitest';
import { translateText } from './languages.js';

const fields = [
  ['_time', 'datetime'],
  ['level', 'string'],
  ['msg', 'string'],
  ['status', 'integer'],
  ['duration', 'float'],
  ['host', 'string'],
  ['seen', 'datetime'],
  ['attributes', 'map'],
].map(([name, type]) => ({ name: name!, type: type! }));
const datasets = [
  { name: 'shop', fields },
  { name: 'web-logs', fields },
];

/** The steps after the dataset, on one line; each is valid APL. */
function steps(text: string, language: string): string {
  const found = translateText(text, 'shop', datasets);
  if (found === undefined || !('apl' in found)) throw new Error(`not translated: ${JSON.stringify(found)}`);
  expect(found.language).toBe(language);
  expect(parse(found.apl).diagnostics, found.apl).toEqual([]);
  return found.apl.split('\n| ').slice(1).join(' | ');
}

describe('SQL', () => {
  it.each([
    ['SELECT * FROM shop', ''],
    ['select * from shop limit 10;', 'take 10'],
    [
      'select level, msg as message from shop where status >= 500',
      'where status >= 500 | project level, message = msg',
    ],
    [
      "select * from shop where level = 'it''s' and not status <> 200",
      String.raw`where level == 'it\'s' and not(status != 200)`,
    ],
    ['select * from shop where (a = 1 or b = 2) and c = 3', 'where (a == 1 or b == 2) and c == 3'],
    ["select * from shop where msg like '%timed out%'", "where msg contains_cs 'timed out'"],
    [
      "select * from shop where msg ilike 'pay%' or msg not like '%x'",
      "where msg startswith 'pay' or not(msg endswith_cs 'x')",
    ],
    ["select * from shop where msg like 'a%b_c.'", String.raw`where msg matches regex '^a.*b.c\\.$'`],
    [
      "select * from shop where level in ('a', 'b') and status not in (1, 2)",
      "where level in ('a', 'b') and status !in (1, 2)",
    ],
    ['select * from shop where status between 400 and 499', 'where status between (400 .. 499)'],
    ['select * from shop where msg is not null and host is null', 'where isnotnull(msg) and isnull(host)'],
    ["select * from shop where timestamp > now() - interval '1 hour'", 'where _time > now() - 1h'],
    ["select * from shop where seen >= '2026-11-29 10:00:00'", 'where seen >= datetime(2026-11-29T10:00:00)'],
    ['select count(*) from shop', 'summarize count()'],
    [
      'select count(*) as n, count(msg), count(distinct host) from shop',
      'summarize n = count(), countif(isnotnull(msg)), dcount(host)',
    ],
    ['select level, count(*) from shop group by level', 'summarize count() by level'],
    [
      'select level, count(*) as n from shop group by level order by n desc limit 5',
      'summarize n = count() by level | sort by n desc | take 5',
    ],
    [
      'select host, avg(duration) from shop group by 1 order by 2 desc',
      'summarize avg(duration) by host | sort by avg_duration desc',
    ],
    [
      'select host, avg(duration) from shop group by host having count(*) > 10 order by avg(duration)',
      'summarize avg_duration = avg(duration), count() by host | where count_ > 10 | sort by avg_duration asc',
    ],
    [
      "select date_trunc('hour', _time) as hour, level, count(*) from shop group by 1, 2 order by 1",
      'summarize count() by hour = bin(_time, 1h), level | sort by hour asc',
    ],
    [
      "select time_bucket('5 minutes', ts), max(duration) from shop group by time_bucket('5 minutes', ts) order by 1",
      'summarize max(duration) by bin(_time, 5m) | sort by _time asc',
    ],
    ['select toStartOfHour(timestamp) t, count() from shop group by t', 'summarize count() by t = bin(_time, 1h)'],
    [
      'select toStartOfInterval(ts, INTERVAL 15 MINUTE) as t, uniq(host) from shop group by t',
      'summarize dcount(host) by t = bin(_time, 15m)',
    ],
    ['select quantile(0.95)(duration) from shop', 'summarize percentile(duration, 95)'],
    [
      'select percentile_cont(0.5) within group (order by duration) as p from shop',
      'summarize p = percentile(duration, 50)',
    ],
    [
      'select sum(case when status >= 500 then 1 else 0 end) as bad from shop',
      'summarize bad = countif(status >= 500)',
    ],
    ['select count(*) filter (where status >= 500) from shop', 'summarize countif(status >= 500)'],
    ['select 100.0 * sum(duration) / count(*) as x from shop', 'summarize x = 100.0 * sum(duration) / count()'],
    [
      "select case when status >= 500 then 'bad' else 'good' end as state from shop",
      "project state = case(status >= 500, 'bad', 'good')",
    ],
    ['select distinct host from shop', 'distinct host'],
    ['select lower(host), length(msg) from shop', 'project tolower(host), strlen(msg)'],
    [
      'select s.level, "s"."msg" from shop s order by s.ts desc limit 3',
      'sort by _time desc | project level, msg | take 3',
    ],
    ["select attributes['user.id'], payload->>'id' from shop", "project attributes['user.id'], payload['id']"],
    ['select status::text, cast(status as float) from shop', 'project tostring(status), todouble(status)'],
    [
      "select $__timeGroup(ts, '5m'), count(*) from shop where $__timeFilter(ts) and status = 1 group by 1",
      'where status == 1 | summarize count() by bin(_time, 5m)',
    ],
    ['-- errors\nselect /* all */ * from shop', ''],
  ])('%s', (text, apl) => expect(steps(text, 'SQL')).toBe(apl));
});

describe('SPL', () => {
  it.each([
    ['index=shop', ''],
    ['index=shop status=500 "timed out"', "where status == 500 | search 'timed out'"],
    ['search index=shop level=error NOT host=web-1', "where level =~ 'error' and not(host =~ 'web-1')"],
    ['index=shop host=web* status>=400', "where host hasprefix 'web' and status >= 400"],
    ['index=shop level IN (error, warn)', "where level =~ 'error' or level =~ 'warn'"],
    ['index=shop | stats count by level', 'summarize count() by level'],
    [
      'index=shop | stats count as n, avg(duration) p95(duration) dc(host) by level, host',
      'summarize n = count(), avg(duration), percentile(duration, 95), dcount(host) by level, host',
    ],
    ['index=shop | stats count(eval(status>=500)) as bad', 'summarize bad = countif(status >= 500)'],
    ['index=shop | timechart span=5m count by level', 'summarize count() by bin(_time, 5m), level'],
    ['index=shop | timechart avg(duration)', 'summarize avg(duration) by bin_auto(_time)'],
    ['index=shop | top limit=5 host', 'summarize count() by host | top 5 by count_ desc'],
    ['index=shop | rare host by level', 'summarize count() by host, level | top 10 by count_ asc'],
    ['index=shop | sort - status, +host | head 20', 'sort by status desc, host asc | take 20'],
    ['index=shop | sort 5 -duration', 'sort by duration desc | take 5'],
    [
      'index=shop | eval s=duration/1000, big=if(status>=500 AND like(msg, "%out%"), "y", "n")',
      "extend s = duration / 1000, big = iff(status >= 500 and msg contains 'out', 'y', 'n')",
    ],
    [
      'index=shop | where match(host, "^web") | table _time, host, msg',
      "where host matches regex '^web' | project _time, host, msg",
    ],
    ['index=shop | fields - msg | rename host as server', 'project-away msg | project-rename server = host'],
    ['index=shop | dedup host', 'summarize arg_max(_time, *) by host'],
    [
      String.raw`index=shop | rex field=msg "user=(?<user>\w+)"`,
      String.raw`extend user = extract('user=(\\w+)', 1, msg)`,
    ],
    [
      'index=shop | bin _time span=1h | stats count by _time',
      'extend _time = bin(_time, 1h) | summarize count() by _time',
    ],
    ['index=shop | fillnull value=0 status', 'extend status = coalesce(status, 0)'],
    ['error | stats count by host', "search 'error' | summarize count() by host"],
    ['index=shop "a | b" | head', "search 'a | b' | take 10"],
  ])('%s', (text, apl) => expect(steps(text, 'SPL')).toBe(apl));
});

it.each([
  ['{host="a"} |= "timed out"', "where host == 'a' | search 'timed out'"],
  [
    'sum by (level) (count_over_time({host="a"}[5m]))',
    "where host == 'a' | summarize value = count() by bin(_time, 5m), level",
  ],
  [
    'topk(3, sum(rate({host=~"a|b"}[1m])) by (host))',
    "where host in ('a', 'b') | summarize value = rate(1) by host | top 3 by value",
  ],
  ['{host="a", status="500"}', "where host == 'a' and status == 500"],
  ['{host=~".+", status!~"4.."}', "where isnotempty(host) and not(tostring(status) matches regex '^(?:4..)$')"],
])('LogQL %s', (text, apl) => expect(steps(text, 'LogQL')).toBe(apl));

it.each([
  [
    'max by (host) (max_over_time(duration{level="error", status=~"5.."}[5m]))',
    "where level == 'error' and tostring(status) matches regex '^(?:5..)$' | summarize value = max(duration) by bin(_time, 5m), host",
  ],
  [
    'sum(sum_over_time(duration[1h])) by (host, level) > 10',
    'summarize value = sum(duration) by bin(_time, 1h), host, level | where value > 10',
  ],
  [
    "sum(count_over_time(duration{host!='a'}[1d]))",
    "where host != 'a' | summarize value = countif(isnotnull(duration)) by bin(_time, 1d)",
  ],
  ['avg(avg_over_time(duration[5m]))', 'summarize value = avg(duration) by bin(_time, 5m)'],
])('PromQL %s', (text, apl) => expect(steps(text, 'PromQL')).toBe(apl));

it.each([
  ['sum(rate(http_requests_total{code="500"}[5m])) by (job)', 'rate()'],
  ['histogram_quantile(0.95, sum by (le) (rate(x_bucket[5m])))', 'histogram_quantile(0.95, sum by (le) (ra'],
  ['http_requests_total{code="500"}', 'http_requests_total{code="500"}'],
  ['max(max_over_time(cpu[5m]))', 'cpu'],
  ['sum without (host) (sum_over_time(duration[5m]))', 'sum without (host) (sum_over_time(durati'],
])('PromQL %s names what it cannot translate, and where metrics are queried', (text, part) =>
  expect(translateText(text, 'shop', datasets)).toEqual({
    language: 'PromQL',
    part,
    elsewhere: expect.stringContaining('Metrics') as string,
  }),
);

it.each([
  ['select * from a join b on a.x = b.x', 'SQL', 'join b on a.x = b.x'],
  ['select * from (select 1) t', 'SQL', '(select 1) t'],
  ['with x as (select 1) select * from x', 'SQL', 'with x as (select 1) select * from x'],
  ['select row_number() over (partition by host) from shop', 'SQL', 'over (partition by host) from shop'],
  ['select sum(duration) over (partition by host) from shop', 'SQL', 'over (partition by host) from shop'],
  ['select host, count(*) from shop', 'SQL', 'host outside of GROUP BY'],
  ['select * from shop limit 5 offset 10', 'SQL', 'offset 10'],
  ['select * from shop union select * from b', 'SQL', 'union select * from b'],
  ["select date_trunc('month', ts) - interval '1 month' from shop", 'SQL', "interval '1 month' from shop"],
  ['index=shop | transaction host', 'SPL', '| transaction host'],
  ['index=shop | stats mode(host)', 'SPL', 'mode(host)'],
  ['index=shop | eval x=strftime(_time, "%H")', 'SPL', 'strftime(_time, "%H")'],
  ['sum(rate({a="b"}[5m])) / 2', 'LogQL', '/ 2'],
])('%s: %s names what it cannot translate', (text, language, part) =>
  expect(translateText(text, 'shop', datasets)).toEqual({ language, part }),
);

it.each([
  'timed out',
  'select a card from the list',
  'selected from cart',
  '{"level":"error"}',
  'status:500 -health',
  'shop | where status == 500 | summarize count() by level',
  'shop\n| top 5 by status\n| sort by level | project-rename a = b',
  'shop | lookup (other) on a',
  '2026-11-29T10:00:00Z ERROR a | b',
  'failed in f(x)[5m]',
  'max(duration)',
  'parse {"a":"b"}',
])('%s is not of another language', (text) => expect(translateText(text, 'shop', datasets)).toBeUndefined());

it('a table that exists is the dataset; otherwise the chosen one is, and says so', () => {
  expect(translateText('select * from logs', 'shop', datasets)).toMatchObject({
    apl: 'shop',
    dataset: 'shop',
    other: 'logs',
  });
  expect(translateText('select * from public."web-logs"', 'shop', datasets)).toMatchObject({ dataset: 'web-logs' });
  expect(translateText('select * from "web-logs"', 'shop', datasets)).toMatchObject({
    apl: "['web-logs']",
    dataset: 'web-logs',
    other: undefined,
  });
  expect(translateText('index=web-logs x', 'shop', datasets)).toMatchObject({ dataset: 'web-logs' });
});
