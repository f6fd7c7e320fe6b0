import { beforeAll, describe, expect, it } from 'vitest';
import { openConsoleServer, fill } from '../../testing/console-server.js';
import { typedSearchToApl } from '../search-syntax.js';
import { translateText } from './languages.js';

/** Results of translated queries over a few events, as the original languages would return them. */

const minute = (n: number): string => `2026-11-26T10:${String(n).padStart(2, '0')}:00Z`;
const event = (n: number, host: string, status: number, level: string, took: number, msg: string) => ({
  _time: minute(n),
  host,
  status,
  level,
  took,
  msg,
});
const events = [
  event(0, 'a', 200, 'info', 10, 'order paid'),
  event(1, 'a', 500, 'error', 90.5, 'card timed out'),
  event(2, 'b', 404, 'warn', 20, 'no such cart'),
  event(3, 'b', 200, 'info', 30, 'order paid'),
  event(6, 'c', 503, 'error', 70, 'Timed out: stock'),
  event(7, 'a', 200, 'info', 40, "it's paid, 100 %"),
  event(8, 'c', 200, 'info', 50.5, 'cart opened'),
];
const fields = [
  ['_time', 'datetime'],
  ['host', 'string'],
  ['status', 'integer'],
  ['level', 'string'],
  ['took', 'float'],
  ['msg', 'string'],
].map(([name, type]) => ({ name: name!, type: type! }));

const DATASET = 'pasted-queries';
const datasets = [{ name: DATASET, fields }];
beforeAll(async () => {
  const { request } = await openConsoleServer();
  await fill(request, DATASET, events);
});

interface Table {
  readonly fields: readonly { readonly name: string }[];
  readonly columns: readonly (readonly unknown[])[];
}

/** Rows in order, with the named columns. */
async function rowsOf(apl: string, columns: readonly string[]): Promise<readonly (readonly unknown[])[]> {
  const { request } = await openConsoleServer();
  const { body } = (await request('/v1/datasets/_apl?format=tabular', {
    body: JSON.stringify({ apl, startTime: '2026-11-26T09:00:00Z', endTime: '2026-11-26T11:00:00Z' }),
  })) as { readonly body: { readonly tables?: readonly Table[] } };
  const table = body.tables?.[0];
  if (table === undefined) throw new Error(`${apl}: ${JSON.stringify(body)}`);
  const named = columns.map((name) => {
    const at = table.fields.findIndex((field) => field.name === name);
    if (at < 0) throw new Error(`${apl}: no ${name} in ${table.fields.map((field) => field.name).join(', ')}`);
    return table.columns[at]!;
  });
  return (named[0] ?? []).map((_, row) => named.map((column) => column[row]));
}

const sortRows = (rows: readonly (readonly unknown[])[]): readonly string[] =>
  rows.map((row) => JSON.stringify(row)).toSorted((a, b) => a.localeCompare(b));

/** Each: the text, columns of the result, its rows in any order. */
type Case = readonly [text: string, columns: readonly string[], rows: readonly (readonly unknown[])[]];

const testPasted = (language: string, cases: readonly Case[]) =>
  it.each(cases)(`${language}: %s`, async (text, columns, rows) => {
    const found = translateText(text, DATASET, datasets);
    if (found === undefined || !('apl' in found)) throw new Error(JSON.stringify(found));
    expect(found.language).toBe(language);
    expect(sortRows(await rowsOf(found.apl, columns))).toEqual(sortRows(rows));
  });

testPasted('SQL', [
  [
    `SELECT host, count(*) AS n FROM "${DATASET}" WHERE status >= 400 GROUP BY host`,
    ['host', 'n'],
    [
      ['a', 1],
      ['b', 1],
      ['c', 1],
    ],
  ],
  ["select msg from logs where msg ilike '%timed out%' and host <> 'c'", ['msg'], [['card timed out']]],
  ['select host, avg(took) as t from logs group by host having count(*) > 2', ['host', 't'], [['a', 140.5 / 3]]],
  [
    "select status, took from logs where level in ('warn', 'error') order by took desc limit 2",
    ['status', 'took'],
    [
      [500, 90.5],
      [503, 70],
    ],
  ],
  [
    "select date_trunc('hour', timestamp) as h, sum(case when status >= 500 then 1 else 0 end) as bad from logs group by 1",
    ['h', 'bad'],
    [['2026-11-26T10:00:00Z', 2]],
  ],
]);

testPasted('LogQL', [
  ['{host="a", status="200"} |= "paid"', ['msg'], [['order paid'], ["it's paid, 100 %"]]],
  ['{host=~"a|c"} |~ "(?i)timed out" != "stock"', ['msg'], [['card timed out']]],
  [
    'sum by (host) (count_over_time({level!="info"}[1h]))',
    ['host', 'value'],
    [
      ['a', 1],
      ['b', 1],
      ['c', 1],
    ],
  ],
  ['topk(1, max by (host) (max_over_time({host=~".+"} | unwrap took [1h])))', ['host', 'value'], [['a', 90.5]]],
  ['sum(rate({host="b"} | json | status >= 400 [5m]))', ['value'], [[1 / 300]]],
]);

testPasted('SPL', [
  [
    `index=${DATASET} "timed out" | stats count by host`,
    ['host', 'count_'],
    [
      ['a', 1],
      ['c', 1],
    ],
  ],
  [
    `index=${DATASET} NOT level=INFO | table msg, status`,
    ['msg', 'status'],
    [
      ['card timed out', 500],
      ['no such cart', 404],
      ['Timed out: stock', 503],
    ],
  ],
  [
    `index=${DATASET} | stats avg(took) as t, dc(status) as d by host | sort - t | head 1`,
    ['host', 't', 'd'],
    [['c', 60.25, 2]],
  ],
  [
    `index=${DATASET} | timechart span=5m count(eval(status>=500)) as bad`,
    ['_time', 'bad'],
    [
      [minute(0), 1],
      [minute(5), 1],
    ],
  ],
  [`index=${DATASET} | eval slow=if(took > 60, "yes", "no") | top limit=1 slow`, ['slow', 'count_'], [['no', 5]]],
]);

testPasted('PromQL', [
  [
    'max by (host) (max_over_time(took{level="info"}[1h]))',
    ['host', 'value'],
    [
      ['a', 40],
      ['b', 30],
      ['c', 50.5],
    ],
  ],
  [
    'min(min_over_time(took{status=~"5.."}[5m]))',
    ['_time', 'value'],
    [
      [minute(0), 90.5],
      [minute(5), 70],
    ],
  ],
  [
    'sum by (level) (count_over_time(took[1d])) > 1',
    ['level', 'value'],
    [
      ['info', 4],
      ['error', 2],
    ],
  ],
  [
    'sum(sum_over_time(took{host!="a"}[1h])) by (host)',
    ['host', 'value'],
    [
      ['b', 50],
      ['c', 120.5],
    ],
  ],
  ['avg(avg_over_time(took{status="200"}[1d]))', ['value'], [[130.5 / 4]]],
]);

/** Lucene and KQL are read as search text. */
describe.each<readonly [string, readonly (readonly [text: string, rows: readonly string[]])[]]>([
  [
    'Lucene',
    [
      ['status:[400 TO 499] OR status:503', ['no such cart', 'Timed out: stock']],
      ['host:(a OR b) AND NOT level:info', ['card timed out', 'no such cart']],
      ['msg:*paid* AND took:>20', ['order paid', "it's paid, 100 %"]],
      ['"timed out" -stock', ['card timed out']],
      ['msg:/cart .*/ +host:c', ['cart opened']],
    ],
  ],
  [
    'KQL',
    [
      ['status >= 500 and host : "c"', ['Timed out: stock']],
      ['level : ("warn" or "error") and not host : "a"', ['no such cart', 'Timed out: stock']],
      ['msg : *opened', ['cart opened']],
      ['host : a and took > 30 and took < 60', ["it's paid, 100 %"]],
      ['not status : 200 and msg : "such cart"', ['no such cart']],
      ['level : error and not (host : a or host : b)', ['Timed out: stock']],
    ],
  ],
])('%s', (_language, cases) => {
  it.each(cases)('%s', async (text, messages) => {
    const rows = await rowsOf(typedSearchToApl(text, DATASET, datasets), ['msg']);
    expect(sortRows(rows)).toEqual(sortRows(messages.map((msg) => [msg])));
  });
});
