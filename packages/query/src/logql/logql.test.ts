import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type EngineTestServer } from '@millrace/server/testing/engine-test-server';
import { sharedTestServer } from '@millrace/server/testing/shared-test-server';
import {
  type LokiRequest,
  ask as askShop,
  at,
  linesOf as linesOfShop,
  openShop,
  showLabels,
  start,
  times,
} from './testing/loki-shop.js';

/** Queries in LogQL over lines that were pushed to Loki, on a real server. */

let world: EngineTestServer;
beforeAll(async () => {
  world = await sharedTestServer();
  await openShop(world);
});
afterAll(() => world.close());

const ask = (path: string, parameters: Readonly<Record<string, string>> = {}, how: LokiRequest = {}) =>
  askShop(world, path, parameters, how);
const linesOf = (query: string, how: LokiRequest = {}) => linesOfShop(world, query, how);

const seconds = async (query: string): Promise<readonly number[]> =>
  (await linesOf(query)).map((line) => Number.parseInt(line, 10));

describe('conditions find lines', () => {
  test.each<[string, readonly number[]]>([
    ['{app="web"}', [10, 20, 70, 130]],
    ['{app!="web", env="prod"}', [15, 75]],
    ['{app=~"w.*|d.*", env!~"te.*"} |= "level"', [10, 15, 20, 70, 75]],
    ['{trace=""}', [15, 30, 40, 50, 70, 75, 130]],
    ['{nothing=~".*"} |= "rows"', [15, 75]],
    ['{app="web"} |= "error" or "204"', [20, 70]],
    ['{app="web"} != "error" !~ "\\\\d{3},"', [130]],
    ['{app="web"} |> `<_>"level":"info"<_>`', [10, 70]],
    ['{app="web"} !> `{<_>}`', [130]],
    ['{app="web"} | json | level="error"', [20]],
    ['{app="web"} | json | level!="error"', [10, 70, 130]],
    ['{app="web"} | json | user_id="7" | path=~"/a|/c"', [10, 70]],
    ['{app="web"} | json | status >= 204 and status != 500', [70]],
    ['{app="web"} | json | status < 204 or level="error", path="/b"', [10, 20]],
    ['{app="web"} | json | (status < 204 or level="error") and path="/b"', [20]],
    ['{app="web"} | json | took > 15ms', [10, 20]],
    ['{app="web"} | json | size >= 1KB', [10, 20]],
    ['{app="web"} | json | size > 1KiB', [20]],
    ['{app="web"} | json | app_extracted="in"', [70]],
    ['{app="web"} | json | app="web" | user=""', [10, 20, 70, 130]],
    ['{app="web"} | json | __error__=""', [10, 20, 70]],
    ['{app="web"} | json | __error__!=""', [130]],
    ['{app="web"} | json code="status" | code="200"', [10]],
    ['{app="web"} | json id="user.id" | id > 7', [20]],
    ['{app="db"} | logfmt | level="info"', [75]],
    ['{app="db"} | logfmt | msg="say \\"hi\\" level=no"', [75]],
    ['{app="db"} | logfmt n="rows" | n > 5', [15]],
    ['{app="db"} | logfmt | took >= 3s', [15]],
    ['{app="proxy"} | pattern `<ip> - "<method> <_>" <code>` | method="POST" | code > 500', [40]],
    ['{app="proxy"} | pattern `<ip> - "<_>"<_>` | ip=ip("10.0.0.0/8")', [30]],
    ['{app="proxy"} | regexp `^(?P<ip>[\\d.]+) ` | ip != ip("10.0.0.5")', [40]],
    ['{app="proxy"} | unpack | pod="p-1" | decolorize |= "red" != "[31m"', [50]],
    ['{app="db"} | logfmt | label_format what="{{.level}}-{{.rows}}" | what="warn-10"', [15]],
    ['{app="db"} | logfmt | label_format severity=level | severity="warn" | level=""', [15]],
    ['{app="db"} | logfmt | line_format "{{.level | ToUpper}}" |= "WARN"', [15]],
    ['{app="db"} | logfmt | drop level | level=""', [15, 75]],
    ['{app="db"} | logfmt | drop level="info" | level=""', [75]],
    ['{app="db"} | logfmt | keep level | rows=""', [15, 75]],
  ])('%s', async (query, expected) => {
    expect(await seconds(query)).toEqual(expected);
  });
});

describe('stages make labels and lines', () => {
  test.each<[string, readonly string[]]>([
    [
      '{app="web"} | json | status = 204',
      [
        '70 app=web app_extracted=in env=prod level=info path=/a size=512B status=204 took=10ms user_id=7: {"level":"info","status":204,"took":"10ms","size":"512B","user":{"id":7},"path":"/a","app":"in"}',
      ],
    ],
    [
      '{app="web"} | json id="user.id", path | status="" | line_format "{{.id}} {{.path | upper}}{{.x | default `?`}}" | keep id',
      ['10 id=7: 7 /A?', '20 id=8: 8 /B?', '70 id=7: 7 /A?', '130 __error__=JSONParserErr:  ?'],
    ],
    [
      '{app="proxy"} | unpack | decolorize | keep pod, app',
      [
        '30 __error__=JSONParserErr app=proxy: 10.0.0.5 - "GET /cart" 200',
        '40 __error__=JSONParserErr app=proxy: 192.168.1.9 - "POST /pay" 502',
        '50 app=proxy pod=p-1: red',
      ],
    ],
    [
      '{app="proxy"} |= "GET" | pattern `<ip> - "<method> <path>" <status>` | label_format where=path, env="{{.env}}!"',
      ['30 app=proxy env=test! ip=10.0.0.5 method=GET status=200 where=/cart: 10.0.0.5 - "GET /cart" 200'],
    ],
    [
      '{app="db"} |= "say" | logfmt | drop rows, took="5ms", level="x"',
      ['75 app=db env=prod level=info msg=say "hi" level=no: level=info msg="say \\"hi\\" level=no" took=5ms rows=2'],
    ],
  ])('%s', async (query, expected) => {
    expect(await linesOf(query)).toEqual(expected);
  });
});

const instant = async (query: string, base?: string): Promise<readonly string[]> => {
  const { status, text, body } = await ask('query', { query, time: String(start + 180) }, { ...(base && { base }) });
  if (status !== 200) throw new Error(text);
  return body.data.result.map(({ metric, value }) => `${showLabels(metric)}: ${value?.[1]}`);
};

describe('metric queries at an instant', () => {
  test.each<[string, readonly string[]]>([
    ['vector(1)+vector(1)', [': 2']],
    ['sum(count_over_time({app=~".+"}[3m]))', [': 9']],
    ['count_over_time({app=~"db|proxy"}[3m])', ['app=db env=prod: 2', 'app=proxy env=test: 3']],
    ['count_over_time({app="web"}[1m] offset 2m)', ['app=web env=prod trace=t1: 1', 'app=web env=prod trace=t2: 1']],
    ['sum by (level) (count_over_time({app="web"} | json [3m]))', [': 1', 'level=error: 1', 'level=info: 2']],
    ['sum without (trace) (count_over_time({app="web"}[3m]))', ['app=web env=prod: 4']],
    ['avg_over_time({app="web"} | json | unwrap duration(took) [3m]) by (path)', ['path=/a: 0.015', 'path=/b: 1.5']],
    ['quantile_over_time(0.5, {app="web"} | json | unwrap status [3m]) by (app)', ['app=web: 204']],
    ['stddev_over_time({app="db"} | logfmt | unwrap rows [3m]) by ()', [': 4']],
    ['stdvar_over_time({app="db"} | logfmt | unwrap rows [3m]) by ()', [': 16']],
    ['max_over_time({app="db"} | logfmt | unwrap rows | took > 1s [3m]) by (app)', ['app=db: 10']],
    ['min_over_time({app="db"} | logfmt | unwrap rows [3m]) by (app) - 1', ['app=db: 1']],
    ['first_over_time({app="web"} | json | unwrap bytes(size) [3m]) by (app)', ['app=web: 1000']],
    ['last_over_time({app="web"} | json | unwrap bytes(size) [3m]) by (app)', ['app=web: 512']],
    ['sum_over_time({app="db"} | logfmt n="rows" | unwrap n [3m])', ['app=db env=prod: 12']],
    ['sum by (app) (rate({env="prod"}[3m])) * 180 > 2', ['app=web: 4']],
    ['sum by (app) (bytes_rate({app="proxy"} |= "GET" [10s] offset 2m25s)) * 10', ['app=proxy: 26']],
    ['topk(1, sum by (app) (bytes_over_time({env="prod"}[3m])))', ['app=web: 274']],
    ['max(sum by (app) (count_over_time({env="prod"}[3m])))', [': 4']],
    ['absent_over_time({app="nothing"}[3m])', ['app=nothing: 1']],
    ['absent_over_time({app="web"}[3m])', []],
    ['1 + 2 * 3 - 4 / 2 + vector(0)', [': 5']],
    ['2 ^ 3 ^ 0 * (1 + vector(1))', [': 4']],
    [
      'sum by (app) (count_over_time({app="web"}[3m])) / on() group_left() sum(count_over_time({env="prod"}[3m]))',
      ['app=web: 0.6666666666666666'],
    ],
    [
      'label_replace(sum by (app) (count_over_time({app="db"}[3m])), "first", "$1", "app", "(.).*")',
      ['app=db first=d: 2'],
    ],
  ])('%s', async (query, expected) => {
    expect(await instant(query)).toEqual(expected);
  });
});

describe('metric queries over a range', () => {
  test.each<[string, Readonly<Record<string, string>>]>([
    ['sum by (app) (count_over_time({env="prod"}[1m]))', { db: '60:1 120:1', web: '60:2 120:1 180:1' }],
    ['sum by (app) (count_over_time({env="prod"}[2m]))', { db: '60:1 120:2 180:1', web: '60:2 120:3 180:2' }],
    ['sum by (app) (count_over_time({env="prod"}[45s]))', { web: '60:1' }],
    ['quantile_over_time(1, {app="web"} | json | unwrap status [2m]) by (app)', { web: '60:500 120:500 180:204' }],
    ['quantile_over_time(1, {app="web"} | json | unwrap status [30s]) by (app)', {}],
    ['last_over_time({app="db"} | logfmt | unwrap rows [2m]) by (app)', { db: '60:10 120:2 180:2' }],
  ])('%s', async (query, expected) => {
    const { body } = await ask('query_range', { query, step: '60', start: String(start), end: String(start + 180) });
    const series = body.data.result.map(({ metric, values = [] }) => [
      metric['app'],
      values.map(([time, value]) => `${Number(time) - start}:${value}`).join(' '),
    ]);
    expect(Object.fromEntries(series)).toEqual(expected);
  });
});

test('the newest lines come first, up to the limit', async () => {
  const { body } = await ask('query_range', { query: '{app=~".+"}', ...times, limit: '2' });
  expect(body.data.result.flatMap(({ values }) => values.map(([time]) => time))).toEqual([at(130), at(75)]);
});

test('the end of the range is exclusive, its start is not', async () => {
  const { body } = await ask('query_range', { query: '{app="web"}', start: at(10), end: at(20) });
  expect(body.data.result.flatMap(({ values }) => values.map(([time]) => time))).toEqual([at(10)]);
});

test('labels of parsers stand apart for Grafana', async () => {
  const headers = { 'x-loki-response-encoding-flags': 'categorize-labels' };
  const { body } = await ask('query_range', { query: '{app="db"} | logfmt | rows > 5', ...times }, { headers });
  expect(body.data.encodingFlags).toEqual(['categorize-labels']);
  expect(body.data.result).toEqual([
    {
      stream: { app: 'db', env: 'prod' },
      values: [
        [
          at(15),
          'level=warn msg="slow query" took=3s rows=10',
          { parsed: { level: 'warn', msg: 'slow query', rows: '10', took: '3s' } },
        ],
      ],
    },
  ]);
});

test('events that were not pushed to Loki have their fields as labels, and are lines as JSON', async () => {
  const base = '/loki/loki-events';
  expect(await linesOf('{service_name="cart"} | ok="true"', { base })).toEqual([
    `5 ms=1.5 ok=true service_name=cart status=200: {"ms":1.5,"ok":true,"service":{"name":"cart"},"status":200}`,
  ]);
  expect(await instant('count_over_time({status="500"}[3m])', base)).toEqual([
    'ok=false service_name=cart status=500: 1',
  ]);
});
