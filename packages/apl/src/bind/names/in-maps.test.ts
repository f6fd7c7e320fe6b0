import { printQuery } from '@millrace/sql';
import { beforeAll, describe, expect, it } from 'vitest';
import { compileOrThrow } from '../../testing/compile-text.js';
import { parseJson, testEngine } from '../../testing/engine.js';
import { catalogOf, createDataset } from '../../testing/events.js';
import { catalogWithoutTable } from '../../testing/tableless.js';
import type { Catalog } from '../../model/catalog.js';

/** Events that arrived before, while and after `geo` was a map field. */

const engine = testEngine();
let catalog: Catalog;

const at = (second: number): string => `2024-06-15T11:30:0${second}Z`;

beforeAll(() => {
  const geo = (value: object): string => JSON.stringify(value);
  catalog = catalogOf(
    createDataset(
      engine,
      'logs',
      [
        { _time: at(1), 'k#i': 1, 'geo.city#s': 'old', 'geo.n#i': 5, 'geo.sub.x#i': 1 },
        { _time: at(2), 'k#i': 2, 'geo#m': geo({ city: 'new', n: 7, only: 1, sub: { x: 2 }, 'a.b': 'dotted' }) },
        { _time: at(3), 'k#i': 3, 'geo.sub#m': geo({ x: 3 }), 'geo.a.b#s': 'flat' },
        { _time: at(4), 'k#i': 4 },
      ],
      { virtualFields: new Map([['town', "strcat(geo.city, '!')"]]) },
    ),
    createDataset(engine, 'flat', [{ _time: at(5), 'k#i': 5, 'geo.city#s': 'flat' }]),
    createDataset(engine, 'both', [{ _time: at(7), 'k#i': 7, 'geo.city#s': 'column', 'geo#m': geo({ city: 'map' }) }]),
    createDataset(engine, 'whole', [{ _time: at(6), 'k#i': 6, 'geo#m': geo({ city: 'whole' }) }]),
  );
});

const run = (apl: string): readonly (readonly unknown[])[] => {
  const { query, output } = compileOrThrow(apl, { catalog });
  return engine
    .rows(query)
    .map((row) => output.map(({ json }, i) => (json && typeof row[i] === 'string' ? parseJson(row[i]) : row[i])));
};
const cells = (query: string): readonly unknown[] => run(query).map(([cell]) => cell);

describe('every spelling reads both', () => {
  it.each(['geo.city', "['geo.city']", "['geo']['city']", "geo['city']"])('%s', (spelt) => {
    expect(cells(`logs | sort by k asc | project z = tostring(${spelt})`)).toEqual(['old', 'new', '', '']);
    expect(cells(`logs | where ${spelt} == 'new' | project k`)).toEqual([2]);
    expect(cells(`logs | where ${spelt} == 'old' | project k`)).toEqual([1]);
  });

  it.each(['geo.sub.x', "['geo.sub.x']", "['geo']['sub']['x']", "['geo.sub']['x']", "['geo.sub'].x"])('%s', (spelt) => {
    expect(cells(`logs | sort by k asc | project z = tolong(${spelt})`)).toEqual([1, 2, 3, null]);
  });

  it('also a name that is no column, and a key with a dot', () => {
    expect(cells("logs | where ['geo.only'] == 1 | project k")).toEqual([2]);
    expect(cells("logs | sort by k asc | project z = tostring(['geo']['a.b'])")).toEqual(['', 'dotted', 'flat', '']);
  });
});

it.each<[query: string, firstCells: readonly unknown[]]>([
  ['logs | where isnotnull(geo.city) | sort by k asc | project k', [1, 2]],
  ["logs | where geo.city in ('new', 'old') | sort by k asc | project k", [1, 2]],
  ["logs | where not(geo.city has 'new') | sort by k asc | project k", [1, 3, 4]],
  ['logs | where geo.n > 5 | project k', [2]],
  ['logs | top 1 by geo.n | project k', [2]],
  ['logs | summarize sum(geo.n)', [12]],
  ['logs | summarize n = count() by geo.city | sort by n desc | project n', [2, 1, 1]],
  ['logs | where k < 3 | summarize by geo.city | sort by geo_city asc', ['new', 'old']],
  ['logs | where k < 3 | distinct geo.city | sort by geo_city desc', ['old', 'new']],
  ['logs | where k < 3 | sort by k asc | project town', ['old!', 'new!']],
  ["logs | where k < 3 | sort by k asc | project tostring(column_ifexists('geo.city', ''))", ['old', 'new']],
  ["logs | where k < 3 | sort by k asc | project ensure_field('geo.city', typeof(string))", ['old', 'new']],
  // Of two datasets one may have columns and the other a map.
  ['union flat, whole | sort by k asc | project tostring(geo.city)', ['flat', 'whole']],
  ['union logs, flat | where geo.city == "new" | project k', [2]],
  ['flat | project id = k - 3 | join (logs) on $left.id == $right.k | project tostring(geo.city)', ['new']],
  ['logs | join (flat | project k = 2) on k | project tostring(geo.city)', ['new']],
  [
    'logs | where k == 2 | mv-apply t = pack_array(1, 2) on (summarize n = count()) | project tostring(geo.city)',
    ['new'],
  ],
  // A column that the query defines has only the query's values.
  ["logs | where k < 3 | extend ['geo.city'] = 'own' | project geo.city", ['own', 'own']],
  ["logs | where k < 3 | extend geo = dynamic({'city': 'own'}) | sort by k asc | project geo.city", ['own', 'own']],
  ["logs | where k < 3 | extend geo = dynamic({'city': 'own'}) | sort by k asc | project ['geo.city']", ['old', null]],
  ['logs | where k < 3 | sort by k asc | project-rename geo2 = geo | project geo.city', [null, null]],
  ['logs | where k < 3 | sort by k asc | project-rename geo2 = geo | project geo2.city', ['old', 'new']],
  ['logs | where k < 3 | project-rename other = geo.city, geo.city = k | project geo.city', [2, 1]],
  // Columns that only a join combines are not of the same events.
  [
    "flat | extend id = k - 3 | join (logs | project-away ['geo.city']) on $left.id == $right.k | project geo.city",
    ['flat'],
  ],
])('%s', (query, firstCells) => expect(cells(query)).toEqual(firstCells));

it('an event that has both is one with the column', () => {
  expect(cells('both | project tostring(geo.city)')).toEqual(['column']);
  expect(cells("both | where geo.city == 'map' | project k")).toEqual([]);
  expect(cells("both | where geo.city == 'column' | project k")).toEqual([7]);
});

it('the columns of events stay as they are', () => {
  expect(run('logs | where k == 2 | project-away _*, geo.sub*, geo.a*, geo.n, town')).toEqual([
    [{ city: 'new', n: 7, only: 1, sub: { x: 2 }, 'a.b': 'dotted' }, null, 2],
  ]);
});

it.each([
  ['logs | project-keep k, geo.city', 'project takes both'],
  ['logs | project-rename z = geo.city', 'extend makes a column of both'],
  ["logs | redact 'x' on geo.city", 'redact the map field as well'],
  ["logs | redact 'x' on geo.only", 'redact the map field as well'],
])('%s: reports that the key remains', (query, help) => {
  expect(compileOrThrow(query, { catalog }).diagnostics).toMatchObject([
    {
      severity: 'warning',
      message: expect.stringContaining(`as a key of a map field, which is not meant here; ${help}`),
    },
  ]);
});

it('a hint describes the data read', () => {
  expect(compileOrThrow('logs | where geo.city == "x"', { catalog }).diagnostics).toMatchObject([
    { severity: 'hint', message: "read as the column ['geo.city'], or where events have none as a key of a map field" },
  ]);
});

it('without a map field nothing else is read', () => {
  const { query } = compileOrThrow("flat | where geo.city == 'x' | project k", { catalog });
  expect(printQuery(query)).not.toContain('JSON');
});

it('a name with more steps than events have levels is no key', () => {
  const name = `geo${'.a'.repeat(50_000)}`;
  const { diagnostics } = compileOrThrow(`logs | where ['${name}'] == 1`, {
    catalog: catalogWithoutTable('logs', { geo: 'bag' }),
  });
  expect(diagnostics).toMatchObject([{ code: 'missing_column' }]);
});
