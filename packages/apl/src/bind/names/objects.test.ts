import { printQuery } from '@millrace/sql';
import { beforeAll, describe, expect, it } from 'vitest';
import { compileOrThrow } from '../../testing/compile-text.js';
import { parseJson, testEngine } from '../../testing/engine.js';
import { catalogOf, createDataset } from '../../testing/events.js';
import type { Catalog } from '../../model/catalog.js';

/** Objects whose members are columns, beside events that have something else under the name. */

const engine = testEngine();
let catalog: Catalog;

const at = (second: number): string => `2024-06-15T11:30:0${second}Z`;

beforeAll(() => {
  catalog = catalogOf(
    createDataset(engine, 'logs', [
      { _time: at(1), 'u#i': 1, 'o.k#i': 1, 'o.s#s': 'x', 'o.a.b#f': 1.5, 'o.a.c#b': true, 'p.q#s': 'r' },
      { _time: at(2), 'u#i': 2, 'o.k#s': 'two', 'o.t#t': '2024-01-02 03:04:05' },
      { _time: at(3), 'u#i': 3, 'o#j': '{}' },
      { _time: at(4), 'u#i': 4, 'o#s': 'text' },
      { _time: at(5), 'u#i': 5, 'o#j': '[{"k":7},{"k":8}]' },
      { _time: at(6), 'u#i': 6 },
      { _time: at(7), 'u#i': 7, 'o.a#j': '[1]', 'o.K#i': 9, 'o."#s': '"' },
    ]),
    createDataset(engine, 'beside', [
      { _time: at(1), 'u#i': 1, 'o#j': '{}', 'o.k#i': 1 },
      { _time: at(2), 'u#i': 2, 'o#j': '{}' },
      { _time: at(3), 'u#i': 3, 'o.k#i': 3, 'o.p#j': '{}', 'o.p.q#i': 4 },
    ]),
    createDataset(engine, 'flat', [{ _time: at(1), 'u#i': 1, 'o.k#i': 1, 'n#i': 1 }]),
    createDataset(engine, 'map', [
      { _time: at(2), 'u#i': 2, 'o#m': '{"k":2}', 'n#i': 1 },
      { _time: at(3), 'u#i': 3, 'o.k#i': 3, 'n#i': 1 },
    ]),
  );
});

const parseValue = (value: unknown): unknown => {
  if (typeof value !== 'string') return value;
  try {
    return parseJson(value);
  } catch {
    return value;
  }
};
const run = (apl: string): readonly (readonly unknown[])[] => {
  const { query, output } = compileOrThrow(apl, { catalog });
  return engine.rows(query).map((row) => output.map(({ json }, i) => (json ? parseValue(row[i]) : row[i])));
};
const cells = (query: string): readonly unknown[] => run(query).map(([cell]) => cell);

const one = { a: { b: 1.5, c: true }, k: 1, s: 'x' };
const two = { k: 'two', t: '2024-01-02T03:04:05Z' };
const elements = [{ k: 7 }, { k: 8 }];
const seven = { '"': '"', K: 9, a: [1] };

it.each<[query: string, firstCells: readonly unknown[]]>([
  ['project o', [one, two, {}, 'text', elements, null, seven]],
  ['extend x = o | project x', [one, two, {}, 'text', elements, null, seven]],
  ['project o | project o.k', [1, 'two', null, null, null, null, null]],
  ['project x = o.k', [1, 'two', null, null, null, null, null]],
  ["project x = o['k']", [1, 'two', null, null, null, null, null]],
  ["project x = o['K']", [null, null, null, null, null, null, 9]],
  ['project x = o[0].k', [null, null, null, null, 7, null, null]],
  ['project x = parse_json(o).k', [1, 'two', null, null, null, null, null]],
  ['extend o = parse_json(o) | project x = o.k', [1, 'two', null, null, null, null, null]],
  ['project x = todynamic(o).a.b', [1.5, null, null, null, null, null, null]],
  ['project x = parse_json(tostring(o)).a.b', [1.5, null, null, null, null, null, null]],
  ['project x = parse_json(o)[0].k', [null, null, null, null, 7, null, null]],
  ['project o.a', [{ b: 1.5, c: true }, null, null, null, null, null, [1]]],
  ["project x = o['a']", [{ b: 1.5, c: true }, null, null, null, null, null, [1]]],
  ['where isnotempty(o) | project u', [1, 2, 4, 5, 7]],
  ['where isempty(o) | project u', [3, 6]],
  ['where isnull(o) | project u', [6]],
  ['where isnotnull(o) | project u', [1, 2, 3, 4, 5, 7]],
  ["where tostring(o) has 'x' | project u", [1]],
  ["where tostring(o) contains 'te' | project u", [4]],
  ["where o has 'two' | project u", [2]],
  ['where o.k == 1 | project u', [1]],
  ['project x = gettype(o)', ['dictionary', 'dictionary', 'dictionary', 'string', 'array', 'null', 'dictionary']],
  ['project x = bag_keys(o)', [['a', 'k', 's'], ['k', 't'], [], null, null, null, ['"', 'K', 'a']]],
  ['project x = array_length(o)', [null, null, null, null, 2, null, null]],
  ['project x = coalesce(o, "none")', [one, two, {}, 'text', elements, 'none', seven]],
  ['project x = iff(u < 3, o, dynamic(null))', [one, two, null, null, null, null, null]],
  ['project x = bag_merge(o, dynamic({"z":1})) | project x.z', [1, 1, 1, 1, 1, 1, 1]],
  ['where u < 3 | summarize x = make_list(o)', [[one, two]]],
  ['summarize n = count() by o | summarize sum(n), count()', [7]],
  ['summarize dcount(o)', [6]],
  ['where u in (1, 2) | distinct o | sort by tostring(o) desc', [two, one]],
  ['where u == 5 | mv-expand o | project o.k', [7, 8]],
  [
    'where u == 1 | mv-expand o | project o',
    [
      ['a', { b: 1.5, c: true }],
      ['k', 1],
      ['s', 'x'],
    ],
  ],
  ['where u == 1 | mv-expand kind=array p = o | project p[0]', ['a', 'k', 's']],
  ['where u == 5 | mv-apply o on (summarize x = sum(tolong(o.k))) | project x', [15]],
  ['project-keep o | project o.k', [1, 'two', null, null, null, null, null]],
  ['project-keep o', [one, two, {}, 'text', elements, null, seven]],
  ['project-rename x = o | project x', [one, two, {}, 'text', elements, null, seven]],
  ['where u < 3 | project-away o | project column_ifexists("o", "gone")', ['gone', 'gone']],
  ['where u < 3 | project-away o | project column_ifexists("o.k", "gone")', ['gone', 'gone']],
  ['where u < 3 | project x = column_ifexists("o", "none")', [one, two]],
  ['where u < 3 | project x = ensure_field("o", typeof(dynamic))', [one, two]],
  ['where u == 1 | project x = pack_all() | project x.o', [one]],
  ['where u == 1 | project x = pack_all() | project x.u', [1]],
  ["where u == 1 | extend ['o.k'] = 5 | project o", [{ ...one, k: 5 }]],
  ["where u == 1 | redact 'x' on o.s | project o.s", ['*']],
  ["where u == 1 | redact 'x' on o | project o", [{ ...one, s: '*' }]],
  ['where u == 1 | project-away o.a.b, o.a.c | project o', [{ k: 1, s: 'x' }]],
  ['where u == 1 | extend o = 5 | project o', [5]],
  ["where u == 1 | extend o = 'y' | project o.k", [1]],
  ["where u == 1 | extend o = dynamic({'k': 'own'}) | project o.k", ['own']],
  ["where u == 1 | extend o = dynamic({'k': 'own'}) | project ['o.k']", [1]],
  ['where u == 1 | join (logs | where u == 1 | project v = u, o) on o | project v', [1]],
  ['where u == 1 | join (logs | where u < 3) on u | project o1', [one]],
  ['where u == 1 | lookup (logs | project u, p) on u | project p', [{ q: 'r' }]],
  ['where o in (dynamic({"k":"two","t":"2024-01-02T03:04:05Z"})) | project u', [2]],
  ['where u < 3 | top 1 by tostring(o) desc | project u', [2]],
  ['where u < 3 | summarize arg_max(u, o)', [2]],
  ['where u < 3 | summarize arg_max(u, o) | project o', [two]],
  ['where u < 3 | summarize o = take_any(o) by u | sort by u asc | project o', [one, two]],
  ['where u == 1 | project p = p.q', ['r']],
])('logs | sort by u asc | %s', (query, firstCells) =>
  expect(cells(`logs | sort by u asc | ${query}`)).toEqual(firstCells),
);

it('an empty object gives way to members beside it', () => {
  const objects = [{ k: 1 }, {}, { k: 3, p: { q: 4 } }];
  expect(cells('beside | sort by u asc | project o')).toEqual(objects);
  expect(cells('beside | sort by u asc | project p = pack_all() | project p.o')).toEqual(objects);
  expect(cells('beside | sort by u asc | project x = o.p')).toEqual([null, null, { q: 4 }]);
});

it.each<[query: string, firstCells: readonly unknown[]]>([
  ['let f = (x: dynamic) { x.k }; logs | where u < 3 | sort by u asc | project f(o)', [1, 'two']],
  ['let T = logs | where u < 3; T | sort by u asc | project o', [one, two]],
  ['let o = "bound"; flat | project x = o', ['bound']],
  ['flat | where u in ((logs | where isnotempty(o) | project u)) | project o', [{ k: 1 }]],
  ['print x = toscalar(flat | project o)', [{ k: 1 }]],
  ['union flat, map | sort by u asc | project o', [{ k: 1 }, { k: 2 }, { k: 3 }]],
  ['union flat, map | summarize n = count() by o.k | sort by n, o_k asc | project o_k', [1, 2, 3]],
  ['union (flat | project u, o), map | sort by u asc | project o', [{ k: 1 }, { k: 2 }, { k: 3 }]],
  ['union flat, (map | project u, o) | sort by u asc | project o', [{ k: 1 }, { k: 2 }, { k: 3 }]],
  ['map | sort by u asc | project o', [{ k: 2 }, { k: 3 }]],
  ["map | sort by u asc | project x = o['k']", [2, 3]],
  ['flat | join (map | where u == 2) on n | project o1', [{ k: 2 }]],
  ['flat | join (map | where u == 3) on n | project o', [{ k: 1 }]],
  ['flat | join kind=inner (map | project n, m = o) on n | sort by tostring(m) asc | project m', [{ k: 2 }, { k: 3 }]],
])('%s', (query, firstCells) => expect(cells(query)).toEqual(firstCells));

describe('what a query says', () => {
  it.each(['project o', 'where isnotempty(o)', 'project o.a', 'project parse_json(o).k', 'project-keep o'])(
    '%s',
    (query) =>
      expect(
        compileOrThrow(`logs | ${query}`, { catalog }).diagnostics.filter(({ severity }) => severity !== 'hint'),
      ).toEqual([]),
  );

  it('still warns of members that no event has', () =>
    expect(compileOrThrow('flat | project o.zzz', { catalog }).diagnostics).toMatchObject([
      { code: 'missing_column' },
    ]));
});

describe('only the whole object is packed', () => {
  const sql = (query: string): string => printQuery(compileOrThrow(query, { catalog }).query);

  it.each(['logs', 'flat | project o.k', "flat | project x = o['k']", 'flat | project x = parse_json(o).k'])(
    '%s',
    (query) => expect(sql(query)).not.toContain('substring'),
  );

  it('flat | project o', () => expect(sql('flat | project o')).toContain('substring'));
});
