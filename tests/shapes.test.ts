import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EngineTestServer, openEngineTestServer } from '@millrace/server/testing/engine-test-server';
import { type Address, apl, cell, createDataset, send } from './support/apl.ts';
import { request } from './support/server-process.ts';

/**
 * Events of every shape: none is rejected, and every value can be queried by the name it was sent
 * with.
 */

let world: EngineTestServer;
let server: Address;
beforeAll(async () => {
  world = await openEngineTestServer({ columnBudget: 16 });
  server = { url: world.url, token: world.owner };
});
afterAll(() => world.close());

const rows = async (query: string): Promise<readonly unknown[]> => {
  const { tables } = await apl(server, query);
  const { fields, columns } = tables[0]!;
  return (columns[0] ?? []).map((_, row) => Object.fromEntries(fields.map(({ name }, i) => [name, columns[i]?.[row]])));
};

describe('a field in the overflow column', () => {
  const events = [
    { id: 1, status: 200, path: '/a b', ok: true, took: 1.5, tags: ['x', 1], geo: { city: 'Köln' } },
    { id: 2, status: '404', path: '/"q"\\', ok: false, took: 2, tags: [], geo: { city: 'Bern', zip: 3000 } },
    { id: 3, status: 500, took: -0.25, ok: true, big: 9007199254740993n },
    { id: 4, status: null, path: '', tags: [{ k: 'v' }] },
  ];
  const body = JSON.stringify(events, (_, value: unknown) =>
    typeof value === 'bigint' ? `${value}n` : value,
  ).replaceAll(/"(\d+)n"/g, '$1');

  beforeAll(async () => {
    for (const name of ['plain', 'crowded']) await createDataset(server, name);
    // Enough frequent fields to use up all columns.
    const crowd = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`crowd_${i}`, i]));
    await send(server, 'crowded', JSON.stringify(Array.from({ length: 50 }, () => crowd)));
    for (const name of ['plain', 'crowded'])
      expect((await send(server, name, body)).body).toMatchObject({ ingested: 4, failed: 0 });
  });

  it.each([
    'where status == 200',
    'where status == "404"',
    'where status != 200 and isnotnull(id) | sort by id asc',
    'where path contains "Q"',
    'where ok == true | sort by id asc',
    'where took < 2 | sort by id asc',
    'where big == 9007199254740993',
    "where ['geo.city'] == 'Köln'",
    'where isnotnull(id) | summarize count(), sum(took), max(big) by ok | sort by ok asc',
    'where isnotnull(id) | summarize n=count() by tostring(status) | sort by n desc, status asc',
    'where isnotnull(id) | extend first = tags[0] | sort by id asc',
    'where isnotnull(id) | extend n = array_length(tags) | sort by id asc',
    'where isnotnull(id) | sort by took desc',
    'where isnotnull(path) | distinct path | sort by path asc',
    'search "Bern"',
    'where isnotnull(id) | extend kind = gettype(status) | sort by id asc',
  ])('gives the same rows as one with a column: %s', async (query) => {
    const shown = '| project-keep id, status, path, ok, took, tags, big, geo*, count_, sum_*, max_*, n, first, kind';
    const plain = await rows(`plain | ${query} ${shown}`);
    expect(plain.length).toBeGreaterThan(0);
    expect(await rows(`crowded | ${query} ${shown}`)).toEqual(plain);
  });

  it('is listed with its types', async () => {
    const { body: fields } = await request(server, '/v2/datasets/crowded/fields');
    expect(fields).toContainEqual(expect.objectContaining({ name: 'status', type: 'integer|string' }));
    expect(fields).toContainEqual(expect.objectContaining({ name: 'geo.zip', type: 'integer' }));
  });

  it('comes back as it was sent', async () => {
    const answer = await fetch(`${server.url}/v1/datasets/_apl?format=legacy`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.token}` },
      body: JSON.stringify({ apl: 'crowded | where isnotnull(id) | sort by id asc' }),
    });
    const text = await answer.text();
    expect(text).toContain('"big":9007199254740993');
    const matches = (JSON.parse(text) as { matches: { data: object }[] }).matches.map(({ data }) => data);
    expect(matches[0]).toEqual({
      id: 1,
      status: 200,
      path: '/a b',
      ok: true,
      took: 1.5,
      tags: ['x', 1],
      'geo.city': 'Köln',
    });
    expect(matches[1]).toMatchObject({ status: '404', path: '/"q"\\', tags: [], 'geo.zip': 3000 });
    expect(matches[3]).toEqual({ id: 4, path: '', tags: [{ k: 'v' }] });
  });
});

describe('integers beyond 64 bits', () => {
  it('are floats, in arrays too, and leave their neighbors readable', async () => {
    await createDataset(server, 'vast');
    const event =
      '{"n":123456789012345678901234567890,"a":[7,123456789012345678901234567890],"b":[{"x":18446744073709551616}]}';
    expect((await send(server, 'vast', event)).body).toMatchObject({ ingested: 1 });
    expect(await rows('vast | project n, a, x=a[0], y=toreal(a[1]), l=array_length(a), b')).toEqual([
      {
        n: 1.2345678901234568e29,
        a: [7, 1.2345678901234568e29],
        x: 7,
        y: 1.2345678901234568e29,
        l: 2,
        b: [{ x: 2 ** 64 }],
      },
    ]);
  });
});

describe('one hundred thousand field names', () => {
  beforeAll(async () => {
    await createDataset(server, 'wide');
    const lines: string[] = [];
    for (let i = 0; i < 2000; i++) {
      const rare = Array.from({ length: 50 }, (_, k) => `"rare_${i * 50 + k}":${i}`).join(',');
      lines.push(`{"id":${i},"kind":"k${i % 3}",${rare}}`);
    }
    for (let at = 0; at < lines.length; at += 500)
      expect((await send(server, 'wide', lines.slice(at, at + 500).join('\n'))).body).toMatchObject({
        ingested: 500,
      });
  });

  it('are stored, and the common fields stay queryable', async () => {
    expect(await cell(server, 'wide | summarize dcount(kind)')).toBe(3);
    expect(await cell(server, 'wide | where kind == "k1" | count')).toBe(667);
  });

  it('the rare ones stay queryable', async () => {
    expect(await rows('wide | where rare_77777 == 1555 | project id, rare_77777')).toEqual([
      { id: 1555, rare_77777: 1555 },
    ]);
    const { tables } = await apl(server, 'wide | where id == 1555');
    const names = tables[0]!.fields.map(({ name }) => name);
    expect(names).toContain('rare_77777');
    expect(names.length).toBeLessThan(200);
  });

  it('all of them are listed', async () => {
    const { body: fields } = await request(server, '/v2/datasets/wide/fields');
    expect(fields).toHaveLength(100_004);
    // Its schema is a table of as many rows, which takes seconds to compile.
    const ofRare = 'ColumnName == "rare_77777" and DataType == "integer" and ColumnType == "long"';
    expect(await rows(`wide | getschema | summarize all = count(), rare = countif(${ofRare})`)).toEqual([
      { all: 100_004, rare: 1 },
    ]);
  });
});
