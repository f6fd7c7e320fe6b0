import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EngineTestServer } from '@millrace/server/testing/engine-test-server';
import { sharedTestServer } from '@millrace/server/testing/shared-test-server';

/** Equal arrays and objects give equal results, independent of their clients' formatting. */

const spellings = [
  String.raw`["café","a/b",1.5,1,{"x":2,"y":[true,null]}]`,
  String.raw`[ "caf\u00e9" , "a\/b", 1.50, 1, { "x" : 2, "y" : [ true, null ] } ]`,
  String.raw`["\u0063af\u00E9","a/b",15e-1,1,{"x":1,"x":2,"y":[true,null]}]`,
  '[\n  "café",\n  "a/b",\n  0.15E1,\n  1,\n  {\n    "x": 2,\n    "y": [\n      true,\n      null\n    ]\n  }\n]',
];

const textOperators = [
  'has',
  'contains',
  'startswith',
  'endswith',
  'hasprefix',
  'hassuffix',
  '=~',
  'contains_cs',
  'has_cs',
];
const needles = ['"café"', '"a/b"', '"1.5,1"', '"u00e9"', '"["', '"true,null"'];

/** Expressions over the array `v` and over the same array in the map field `m`. */
const expressions = (v: string): readonly string[] => [
  ...textOperators.flatMap((op) => needles.map((needle) => `${v} ${op} ${needle}`)),
  ...['has_any', 'has_all', 'in', '!in', 'in~'].map((op) => `${v} ${op} ("café", "a/b")`),
  `tostring(${v}) matches regex @"^\\[.caf.,"`,
  ...[
    'tostring',
    'strlen',
    'string_size',
    'hash',
    'hash_md5',
    'hash_sha256',
    'array_length',
    'gettype',
    'isarray',
    'tolower',
    'reverse',
    'quote',
    'base64_encode_tostring',
    'url_encode',
    'array_reverse',
    'isnotempty',
  ].map((name) => (/array|gettype|isn/.test(name) ? `${name}(${v})` : `${name}(tostring(${v}))`)),
  `${v}[0]`,
  `${v}[4].x`,
  `${v} == dynamic(["café","a/b",1.5,1,{"x":2,"y":[true,null]}])`,
  `set_has_element(${v}, "a/b")`,
  `array_index_of(${v}, 1.5)`,
  `strcat(${v}, "!")`,
  `strcat_array(${v}, "|")`,
  `array_concat(${v}, ${v})`,
  `set_union(${v}, ${v})`,
  `extract("a(.)b", 1, tostring(${v}))`,
  `split(tostring(${v}), ",")`,
  `indexof(tostring(${v}), "1.5")`,
  `countof("a", tostring(${v}))`,
  `replace_string("a", "_", tostring(${v}))`,
  `substring(tostring(${v}), 5, 9)`,
  `parse_json(tostring(${v}))[4].y`,
  `dynamic_to_json(${v})`,
];

let world: EngineTestServer;
beforeAll(async () => {
  world = await sharedTestServer();
  await world.dataset('spelled');
  await world.send('POST', '/v2/datasets/spelled/mapfields', { name: 'm' });
  const body = spellings.map((v, n) => `{"_time":"2026-05-01T00:00:00Z","n":${n},"v":${v},"m":{"v":${v}}}`);
  const { status } = await world.send('POST', '/v1/datasets/spelled/ingest', body.join('\n'));
  expect(status).toBe(200);
});
afterAll(() => world.close());

const columns = async (apl: string): Promise<readonly unknown[][]> => (await world.apl(apl)).tables[0]!.columns;

test.each(['v', 'm.v'])('expressions of %s', async (v) => {
  const all = expressions(v);
  const found = await columns(`spelled | project ${all.map((text, i) => `e${i} = tostring(${text})`).join(', ')}`);
  expect(found.map((values) => values.length)).toEqual(all.map(() => spellings.length));
  const unequal = all.filter((_, i) => new Set(found[i]).size !== 1);
  expect(unequal).toEqual([]);
});

test.each([
  ['where v has "café" | count', 4],
  ['where * has "café" | count', 4],
  ['where v contains "u00e9" | count', 0],
  ['distinct v | count', 1],
  ['summarize by tostring(m.v) | count', 1],
  ['summarize dcount(v), n = dcount(tostring(v)) | project n', 1],
  ['summarize n = array_length(make_set(v)) | project n', 5],
  ['join kind=inner (spelled) on v | count', 16],
  ['where v in ((spelled | where n == 1 | project v)) | count', 4],
  ['parse tostring(v) with "[\\"" first "\\"," * | distinct first | count', 1],
  ['mv-expand v | summarize by tostring(v) | count', 5],
  ['extend t = tostring(v) | top-nested 5 of t by count() | count', 1],
])('spelled | %s', async (rest, count) => expect(await columns(`spelled | ${rest}`)).toEqual([[count]]));

test('a search for an absent word matches no event, and for a common word all events', async () => {
  expect(await columns('search in (spelled) "u00e9" | count')).toEqual([[0]]);
  expect(await columns('search in (spelled) "café" | count')).toEqual([[4]]);
});

test('exports are lines of one spelling', async () => {
  const { text } = await world.send('GET', `/v1/export?apl=${encodeURIComponent('spelled | project v')}`);
  expect(new Set(text.trim().split('\n'))).toEqual(new Set([`{"v":${spellings[0]}}`]));
});
