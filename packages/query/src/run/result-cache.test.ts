import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type EngineTestServer,
  type Legacy,
  openEngineTestServer,
  type Tabular,
} from '@millrace/server/testing/engine-test-server';

/** Valid results, and no outdated ones. */

describe('the result cache', () => {
  let world: EngineTestServer;
  beforeAll(async () => {
    world = await openEngineTestServer({ externalDataHosts: ['127.0.0.1'] });
    await world.dataset('other', [{ n: 0 }]);
  });
  afterAll(() => world.close());

  const ask = async (query: string, url = '', body: object = {}) => {
    const { body: answer } = await world.send<Tabular>('POST', `/v1/datasets/_apl?format=tabular${url}`, {
      apl: query,
      ...body,
    });
    return { hit: answer.status.cacheStatus === 2, value: answer.tables[0]!.columns[0]![0] };
  };
  const remove = (apl: string) =>
    world.send('POST', '/v2/datasets/_apl/delete', {
      apl,
      startTime: '2000-01-01T00:00:00Z',
      endTime: 'now+1h',
      commit: true,
    });
  const trim = (dataset: string, maxDuration: string) =>
    world.send('POST', `/v2/datasets/${dataset}/trim`, { maxDuration });

  it('answers again while nothing changed, and never after', async () => {
    await world.dataset('cached', [{ n: 1 }]);
    const query = 'cached | summarize sum(n)';
    expect(await ask(query)).toEqual({ hit: false, value: 1 });
    expect(await ask(query)).toEqual({ hit: true, value: 1 });
    expect(await ask(query, '&nocache=true')).toEqual({ hit: false, value: 1 });
    await world.ingest('other', [{ n: 0 }]);
    expect(await ask(query)).toEqual({ hit: true, value: 1 });
    await world.ingest('cached', [{ n: 10 }]);
    expect(await ask(query)).toEqual({ hit: false, value: 11 });
    await remove('cached | where n == 1');
    expect(await ask(query)).toEqual({ hit: false, value: 10 });
  });

  it('forgets what was trimmed', async () => {
    await world.dataset('trimmed', [{ n: 1, _time: '2020-01-01T00:00:00Z' }, { n: 10 }]);
    const query = 'trimmed | summarize sum(n)';
    for (const hit of [false, true]) expect(await ask(query)).toEqual({ hit, value: 11 });
    expect((await trim('trimmed', '24h')).status).toBe(204);
    for (const hit of [false, true]) expect(await ask(query)).toEqual({ hit, value: 10 });
  });

  it('knows nothing of a dataset that had the same name', async () => {
    await world.dataset('reborn', [{ n: 1 }]);
    for (const hit of [false, true]) expect(await ask('reborn | count')).toEqual({ hit, value: 1 });
    await world.send('DELETE', '/v2/datasets/reborn');
    await world.dataset('reborn');
    for (const hit of [false, true]) expect(await ask('reborn | count')).toEqual({ hit, value: 0 });
  });

  it('is right under ingest: what was acknowledged is counted', async () => {
    await world.dataset('moving');
    for (let sent = 1; sent <= 20; sent++) {
      const queries = [ask('moving | count'), ask('moving | count')];
      await world.ingest('moving', [{ sent }]);
      expect((await ask('moving | count')).value).toBe(sent);
      await Promise.all(queries);
    }
  });

  it('keeps nothing that draws lots or reads no dataset', async () => {
    for (const query of ['print x = 1', 'other | sample 0.5 | count', 'print rand()'])
      for (let i = 0; i < 2; i++) expect((await ask(query)).hit, query).toBe(false);
  });

  it('keeps nothing that was read from elsewhere', async () => {
    let served = 0;
    const elsewhere = createServer((_, response) => void response.end(`${++served}\n`)).listen(0, '127.0.0.1');
    await once(elsewhere, 'listening');
    const { port } = elsewhere.address() as AddressInfo;
    const query = `other | extend k = 1 | join kind=inner (externaldata (v:long) ["http://127.0.0.1:${port}/a.csv"] | extend k = 1) on k | project v`;
    const [first, second] = [await ask(query), await ask(query)];
    elsewhere.close();
    expect([first.hit, second.hit, Number(second.value) > Number(first.value)]).toEqual([false, false, true]);
  });

  it('tells columns apart that have the same SQL', async () => {
    const column = async (expression: string) => {
      const apl = `other | project x = ${expression}`;
      const { tables } = await world.apl<Tabular>(apl);
      return [tables[0]!.fields[0]!.type, tables[0]!.columns[0]![0]];
    };
    expect(await column('dynamic([1])')).toEqual(['array', [1]]);
    expect(await column('"[1]"')).toEqual(['string', '[1]']);
    expect(await column('1s')).toEqual(['timespan', 1_000_000_000]);
    expect(await column('1000000000')).toEqual(['integer', 1_000_000_000]);
  });

  it('serves both endpoints', async () => {
    const query = async () =>
      (await world.query<Legacy>('cached', { aggregations: [{ op: 'sum', field: 'n' }] })).status.cacheStatus;
    expect([await query(), await query()]).toEqual([1, 2]);
  });

  describe('whatever changes', () => {
    const change = fc.oneof(
      fc.record({ kind: fc.constant('ingest'), n: fc.nat({ max: 9 }), old: fc.boolean(), text: fc.boolean() }),
      fc.record({ kind: fc.constant('delete'), n: fc.nat({ max: 9 }) }),
      fc.record({ kind: fc.constant('trim') }),
      fc.record({ kind: fc.constant('field'), factor: fc.integer({ min: 2, max: 4 }) }),
      fc.record({ kind: fc.constant('view'), min: fc.nat({ max: 5 }) }),
      fc.record({ kind: fc.constant('unit'), unit: fc.constantFrom('ms', 's') }),
      fc.record({ kind: fc.constant('nothing') }),
    );
    type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;
    let number = 0;

    async function apply(each: Change, at: { dataset: string; field: string; view: string }): Promise<void> {
      const { dataset } = at;
      switch (each.kind) {
        case 'ingest': {
          const { n, old, text } = each as { n: number; old: boolean; text: boolean };
          await world.ingest(dataset, [{ n: text ? `t${n}` : n, ...(old && { _time: '2021-01-01T00:00:00Z' }) }]);
          return;
        }
        case 'delete':
          await remove(`${dataset} | where n == ${(each as { n: number }).n}`);
          return;
        case 'trim':
          await trim(dataset, '24h');
          return;
        case 'field':
          await world.send('PUT', `/v2/vfields/${at.field}`, {
            dataset,
            name: 'v',
            expression: `n * ${(each as { factor: number }).factor}`,
          });
          return;
        case 'view':
          await world.send('PUT', `/v2/views/${at.view}`, {
            name: `${dataset}view`,
            aplQuery: `${dataset} | where n >= ${(each as { min: number }).min}`,
          });
          return;
        case 'unit':
          await world.send('PUT', `/v2/datasets/${dataset}/fields/n`, { unit: (each as { unit: string }).unit });
      }
    }

    it('an answer is the one that a query without the cache gives', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(change, { minLength: 4, maxLength: 8 }), async (changes) => {
          const dataset = `model${number++}`;
          await world.dataset(dataset, [{ n: 1 }, { n: 2, _time: '2021-01-01T00:00:00Z' }]);
          const createResource = async (path: string, body: object) =>
            (await world.send<{ id: string }>('POST', path, body)).body.id;
          const at = {
            dataset,
            field: await createResource('/v2/vfields', { dataset, name: 'v', expression: 'n * 2' }),
            view: await createResource('/v2/views', { name: `${dataset}view`, aplQuery: dataset }),
          };
          const queries = [`${dataset} | summarize count(), sum(v)`, `${dataset}view | project n, v`, dataset];
          const answers = async (url: string): Promise<unknown> =>
            Promise.all(
              queries.map(async (apl) => {
                const { body } = await world.send<Tabular & { fieldsMetaMap: object }>(
                  'POST',
                  `/v1/datasets/_apl?format=tabular${url}`,
                  { apl },
                );
                const { rowsExamined, rowsMatched, minCursor, maxCursor, messages } = body.status;
                const { fieldsMetaMap } = body;
                const tables = body.tables.map(({ columns, fields }) => ({ columns, fields }));
                return { tables, fieldsMetaMap, status: { rowsExamined, rowsMatched, minCursor, maxCursor, messages } };
              }),
            );
          for (const each of changes) {
            // Also during the change: a result cached then must not outlive it.
            await Promise.all([apply(each, at), answers('')]);
            expect(await answers('')).toEqual(await answers('&nocache=true'));
            expect(await answers('')).toEqual(await answers('&nocache=true'));
          }
        }),
        { numRuns: 6 },
      );
    }, 60_000);
  });
});
