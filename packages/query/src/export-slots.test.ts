import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type EngineTestServer,
  type Legacy,
  openEngineTestServer,
  type Tabular,
} from '@millrace/server/testing/engine-test-server';
import { caseCount } from '../../../tests/support/depth.js';

/**
 * Whether the values of a field are in a dedicated column or in the overflow column is invisible:
 * two servers return the same. `PLACES_RUNS=50` before `npx vitest run` tries more events.
 */
const runs = Number(process.env['PLACES_RUNS'] ?? caseCount(1, 20));

let roomy: EngineTestServer;
/** The first two fields get columns; sixteen columns in all. */
let crowdedServer: EngineTestServer;
beforeAll(async () => {
  [roomy, crowdedServer] = await Promise.all([openEngineTestServer(), openEngineTestServer({ columnBudget: 16 })]);
});
afterAll(() => Promise.all([roomy.close(), crowdedServer.close()]));

const value = fc.constantFrom<unknown>(7, -1, 'v7', 'w', '', true, 2.5, ['v7', 1], { inner: 'v7' }, null);
const fieldCount = 30;

/** A batch: of each field one event in how many has it, and its values by turns. */
const batch = fc.record({
  rows: fc.constantFrom(5, 300, 1200),
  fields: fc.array(
    fc.record({ every: fc.constantFrom(0, 1, 3, 70, 250), values: fc.array(value, { minLength: 1, maxLength: 3 }) }),
    { minLength: fieldCount, maxLength: fieldCount },
  ),
});

const day = 86_400_000;

function eventsOf({ rows, fields }: typeof batch extends fc.Arbitrary<infer B> ? B : never, number: number) {
  // A day a batch, so that a trim takes whole batches.
  const from = Date.now() - (10 - number) * day;
  return Array.from({ length: rows }, (_, row) => {
    const event: Record<string, unknown> = { _time: new Date(from + row).toISOString(), id: number * 10_000 + row };
    for (const [field, { every, values }] of fields.entries())
      if (every > 0 && (row + field) % every === 0) event[`f${field}`] = values[row % values.length];
    return event;
  });
}

const queries = [
  'sort by id asc | take 150',
  'where f1 == 7 | count',
  'where f2 == "v7" or f3 == true | count',
  'where isnotnull(f4) | summarize count(), max(id)',
  'summarize count() by tostring(f5) | sort by f5 asc, count_ desc',
  "where ['f6.inner'] == 'v7' | count",
  'search "v7" | count',
  'where f7 > 1 | summarize sum(id), dcount(f8)',
  'project id, f9, f10 | sort by id desc | take 100',
  'extend kind = gettype(f11) | summarize count() by kind | sort by kind asc',
  'project-keep id, f1* | sort by id desc | take 60',
  'project-away f1, f2* | sort by id asc | take 90',
  'project-keep * | sort by id asc | take 20',
  'project-away *, id | count',
  'take 20 | mv-expand e = pack_array(1, 2) | sort by id asc, e asc',
  'sort by id asc | take 20 | mv-expand e = pack_array(1, 2) | search "v7" | count',
  'sort by id asc | take 20 | join kind=leftanti (print id = 3) on id',
  'join kind=leftsemi (range id from 1 to 9 step 1) on id | search "v7" | sort by id asc',
  'sort by id asc | take 20 | as t | join kind=leftouter (t | where id % 2 == 0) on id | sort by id asc',
  'sort by id asc | take 20 | as t | join kind=fullouter (t | where id % 2 == 0 | project-away f12) on id | search "v7" | sort by id asc',
  'sort by id asc | take 20 | as t | lookup (t | where id % 3 == 0) on id | sort by id asc',
  'summarize arg_max(id, *) by tostring(f13) | sort by id asc',
  'summarize arg_max(id, *) by bin(_time, 1d), tostring(f13) | take 2',
  'summarize count(), arg_min(id, *), arg_max(_time, *) by bin(_time, 1d) | sort by _time asc',
  'summarize arg_max(id, *) | search "v7" | count',
  'project-away _time, _sysTime | where id % 7 == 0 | distinct * | sort by id asc | take 40',
  'project-away _time, _sysTime, id | distinct * | count',
  'where id < 50 | evaluate pivot(f14) | sort by id asc',
];

/** Rows as objects without nulls: a column that is null throughout carries no information. */
function rowsOf({ tables: [table] }: Pick<Tabular, 'tables'>): readonly object[] {
  const { fields, columns } = table!;
  return (columns[0] ?? []).map((_, row) =>
    Object.fromEntries(
      fields.flatMap(({ name }, i) => {
        const cell = columns[i]![row];
        return name.startsWith('_sysTime') || cell === null ? [] : [[name, cell]];
      }),
    ),
  );
}

it('a field rare in one dataset of a union and common in another has one column', async () => {
  const filler = Array.from({ length: 1000 }, (_, i) => ({ [`r${i}`]: i }));
  await crowdedServer.dataset('common', [{ id: 1, f: 'common', g: 1 }]);
  await crowdedServer.dataset('rare', [...filler, { id: 2, f: 'rare', g: 'one' }]);
  const union = 'union common, rare | where id > 0 | sort by id asc';
  const answer = await crowdedServer.apl(union);
  expect(rowsOf(answer)).toMatchObject([
    { id: 1, f: 'common', g: 1 },
    { id: 2, f: 'rare', g: 'one' },
  ]);
  expect(answer.tables[0]!.fields).toContainEqual({ name: 'g', type: 'integer|string' });
  expect(await exportEvents(crowdedServer, union)).toMatchObject([
    { id: 1, f: 'common', g: 1 },
    { id: 2, f: 'rare', g: 'one' },
  ]);
});

it('rare fields that a query takes away or renames stay away', async () => {
  await crowdedServer.dataset('secrets', [
    ...Array.from({ length: 1000 }, (_, i) => ({ [`r${i}`]: i })),
    { id: 1, secret: 'xyz', more: 2 },
  ]);
  const rows = async (query: string) =>
    rowsOf(await crowdedServer.apl(`secrets | where id == 1 | ${query} | project-away _time`));
  expect(await rows('project-away secret')).toEqual([{ id: 1, more: 2 }]);
  expect(await rows('project-away s*')).toEqual([{ id: 1, more: 2 }]);
  expect(await rows('project-rename told = secret')).toEqual([{ id: 1, more: 2, told: 'xyz' }]);
  expect(await rows('extend secret = strlen(secret)')).toEqual([{ id: 1, more: 2, secret: 3 }]);
  expect(await rows("project-away secret | search 'xyz'")).toEqual([]);
  expect(await rows("search 'xyz'")).toEqual([{ id: 1, more: 2, secret: 'xyz' }]);
});

it('rare fields of both sides of a join have the names that columns would have', async () => {
  const filler = Array.from({ length: 1000 }, (_, i) => ({ [`r${i}`]: i }));
  await crowdedServer.dataset('left', [...filler, { id: 1, both: 'l', both1: 'y', one: 'x' }, { id: 2, one: 'z' }]);
  await crowdedServer.dataset('right', [...filler, { id: 1, both: 'r', other: 2 }, { id: 3, both: 'alone' }]);
  const rows = async (query: string) =>
    rowsOf(await crowdedServer.apl(`left | where id > 0 | ${query} | project-away _time*, _sysTime*`));
  const joined = { id: 1, id1: 1, both: 'l', both1: 'y', one: 'x', both2: 'r', other: 2 };
  expect(await rows('join (right | where id > 0) on id')).toEqual([joined]);
  expect(await rows('join kind=fullouter (right | where id > 0) on id | sort by id asc, id1 asc')).toEqual([
    joined,
    { id: 2, one: 'z' },
    { id1: 3, both2: 'alone' },
  ]);
  expect(await rows("join (right | where id > 0) on id | where both2 == 'r'")).toEqual([joined]);
  expect(await rows("join (right | where id > 0) on id | search 'r'")).toEqual([joined]);
  expect(await rows('join (left | where id == 2) on id | project-away *ne1')).toEqual([{ id: 2, one: 'z', id1: 2 }]);
  const { id1: _, ...looked } = joined;
  expect(await rows('lookup kind=inner (right | where id > 0) on id')).toEqual([looked]);
  // Columns of the right side are renamed if rare fields of the left have their names.
  expect(await rows('where id == 1 | lookup (print id = 1, both = 5, one = 6) on id')).toEqual([
    { id: 1, both: 'l', both1: 'y', one: 'x', both2: 5, one1: 6 },
  ]);
  expect(await rows('where id == 2 | join (datatable(id:long, x:long)[2, 7] | extend one = x) on id')).toEqual([
    { id: 2, one: 'z', id1: 2, x: 7, one1: 7 },
  ]);
  expect(await rows('join (right) on id | join (left) on id | project one, one1, both, both2, both3, both11')).toEqual([
    { one: 'x', one1: 'x', both: 'l', both2: 'r', both3: 'l', both11: 'y' },
  ]);
});

it('rare fields that an aggregation takes are described as the others are', async () => {
  const filler = Array.from({ length: 1000 }, (_, i) => ({ [`r${i}`]: i }));
  const _time = '2026-11-01T10:00:00Z';
  await crowdedServer.dataset('taken', [...filler, { _time, id: 1, seldom: 'a' }, { _time, id: 2, count_: 'b' }]);
  const answer = async (query: string) => crowdedServer.apl<AggregatedResult>(`taken | where id > 0 | ${query}`);
  const { tables } = await answer('summarize count(), arg_max(id, *) by bin(_time, 1h)');
  for (const table of tables)
    expect(table.fields).toContainEqual({
      name: 'count_1',
      type: 'string',
      agg: { name: 'argmax', fields: ['id', 'count_1'] },
    });
  expect(tables.map((table) => rowsOf({ tables: [table] }))).toMatchObject([
    [{ count_: 2, id: 2, count_1: 'b' }],
    [{ count_: 2, id: 2, count_1: 'b' }],
  ]);
  const distinct = await answer('project-away _time, _sysTime | distinct *');
  expect(distinct.tables[0]!.groups).toEqual([{ name: 'id' }, { name: 'count_' }, { name: 'seldom' }]);
  const { buckets } = await crowdedServer.apl<Legacy>(
    'taken | where id > 0 | project-away _time, _sysTime | distinct *',
    {},
    'legacy',
  );
  expect(buckets.totals.map(({ group, aggregations }) => [group, aggregations])).toEqual([
    [{ id: 1, seldom: 'a', count_: null }, []],
    [{ id: 2, seldom: null, count_: 'b' }, []],
  ]);
});

it('rare fields are found by the names that variables hold, and by names with escaped dots', async () => {
  await crowdedServer.dataset('named', [
    ...Array.from({ length: 1000 }, (_, i) => ({ [`r${i}`]: i })),
    { id: 1, seldom: 'xyz', labels: { 'app/name': 'shop' } },
  ]);
  const query = `named | where id == 1 | project a = column_ifexists(name, "none"), b = ['labels\\\\.app/name']`;
  expect(rowsOf(await crowdedServer.apl(query, { variables: { name: 'seldom' } }))).toEqual([{ a: 'xyz', b: 'shop' }]);
});

it('a field may have the empty name', async () => {
  const event = { id: 1, '': 'nameless', o: { '': 8 } };
  const filler = Array.from({ length: 1000 }, (_, i) => ({ [`r${i}`]: i }));
  for (const [name, events] of Object.entries({ nameless: [event], 'nameless-rare': [...filler, event] })) {
    await crowdedServer.dataset(name, events);
    const rows = async (query: string) => rowsOf(await crowdedServer.apl(`['${name}'] | where id == 1 | ${query}`));
    expect(await rows("where [''] == 'nameless' | project [''], b = ['o.'], c = o['']")).toEqual([
      { '': 'nameless', b: 8, c: 8 },
    ]);
    expect(await rows("project-away [''], _time")).toEqual([{ id: 1, 'o.': 8 }]);
  }
});

/** Exported events; the order of their properties does not matter. */
async function exportEvents({ send }: EngineTestServer, query: string): Promise<readonly unknown[]> {
  const { text } = await send('POST', '/v1/export', { apl: `${query} | project-away _sysTime | sort by id asc` });
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as unknown]));
}

/** A response with its column metadata. */
interface AggregatedResult {
  readonly tables: readonly (Tabular['tables'][number] & { readonly groups: readonly { readonly name: string }[] })[];
}

let datasets = 0;

it('the same events give the same answers wherever they lie, also after columns came and went', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(batch, { minLength: 3, maxLength: 3 }), async (batches) => {
      const name = `d${datasets++}`;
      await Promise.all([roomy, crowdedServer].map((world) => world.dataset(name)));
      const sendBoth = async (method: string, path: string, body?: object): Promise<void> => {
        for (const world of [roomy, crowdedServer])
          expect((await world.send(method, path, body)).status).toBeLessThan(300);
      };
      const compare = async (): Promise<void> => {
        for (const query of queries) {
          const [one, other] = await Promise.all(
            [roomy, crowdedServer].map((world) => world.apl(`${name} | ${query}`)),
          );
          expect(rowsOf(other!), query).toEqual(rowsOf(one!));
        }
        const [one, other] = await Promise.all([roomy, crowdedServer].map((world) => exportEvents(world, name)));
        expect(other, 'export').toEqual(one);
      };
      const fieldsOf = async ({ send }: EngineTestServer) => (await send('GET', `/v2/datasets/${name}/fields`)).body;
      const ingest = (number: number) =>
        sendBoth('POST', `/v1/datasets/${name}/ingest`, eventsOf(batches[number]!, number));
      await ingest(0);
      await compare();
      await ingest(1);
      await compare();
      expect(await fieldsOf(crowdedServer)).toEqual(await fieldsOf(roomy));
      // Deletes the first batch, and with it the columns that only its events used.
      await sendBoth('POST', `/v1/datasets/${name}/trim`, { maxDuration: `${9.5 * 24}h` });
      await sendBoth('POST', `/v2/datasets/${name}/vacuum`);
      await compare();
      await ingest(2);
      await compare();
    }),
    { numRuns: runs, endOnFailure: true },
  );
}, 120_000);
