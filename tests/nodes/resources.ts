import { describe, expect, it } from 'vitest';
import { cell, createDataset, send } from '../support/apl.ts';
import { request } from '../support/server-process.ts';
import { cluster, ids, isMissing, node, upTo } from './cluster.ts';

describe.skipIf(isMissing)('three nodes', () => {
  it('create a dataset, and each accepts events that every other one sees immediately', async () => {
    await createDataset(node(0), 'seen');
    for (const id of upTo(12)) {
      const event = { id, [`field ${id}`]: id };
      expect((await send(node(id), 'seen', JSON.stringify(event))).status).toBe(200);
      expect(await cell(node(id + 1), `seen | where ['field ${id}'] == ${id} | count`)).toBe(1);
    }
    for (const each of cluster.places.nodes) expect(await ids(each, 'seen')).toEqual(upTo(12));
  });

  it('list one another', async () => {
    const { body } = await request(node(1), '/v1/nodes');
    const listed = body as readonly { readonly epoch: number; readonly live: boolean; readonly url: string }[];
    expect(listed.map(({ epoch, live }) => [epoch, live])).toEqual([
      [3, true],
      [2, true],
      [1, true],
    ]);
    await expect.poll(async () => JSON.stringify((await request(node(1), '/v1/nodes')).body)).toContain(node(2).url);
  });

  it('refuse a token with the next request after one of them has removed it', async () => {
    const body = JSON.stringify({ name: 't', datasetCapabilities: { seen: { query: ['read'] } } });
    const made = (await request(node(0), '/v2/tokens', { body })).body as {
      readonly id: string;
      readonly token: string;
    };
    const ask = async (n: number): Promise<number> =>
      (
        await request({ url: node(n).url, token: made.token }, '/v1/datasets/_apl?format=tabular', {
          body: '{"apl":"seen | count"}',
        })
      ).status;
    expect(await Promise.all([0, 1, 2].map(ask))).toEqual([200, 200, 200]);
    await request(node(0), `/v2/tokens/${made.id}`, { method: 'DELETE' });
    expect(await Promise.all([0, 1, 2].map(ask))).toEqual([403, 403, 403]);
  });

  it('store a request with an idempotency key once, though all receive it simultaneously', async () => {
    await createDataset(node(1), 'keyed');
    const stored = await Promise.all(
      upTo(9).map(async (n) => {
        const headers = { 'idempotency-key': 'one' };
        return (await request(node(n), '/v1/datasets/keyed/ingest', { body: '{"id":1}', headers })).status;
      }),
    );
    expect(stored).toEqual(upTo(9).map(() => 200));
    for (const each of cluster.places.nodes) expect(await ids(each, 'keyed')).toEqual([1]);
    const other = await request(node(2), '/v1/datasets/keyed/ingest', {
      body: '{"id":2}',
      headers: { 'idempotency-key': 'one' },
    });
    expect(other.status).toBe(409);
  });

  it('take two hundred new fields at once', async () => {
    await createDataset(node(2), 'wide');
    const sent = await Promise.all(
      upTo(200).map(
        async (id) =>
          (await send(node(id), 'wide', JSON.stringify({ id, [`f${id}`]: id, [`s${id % 7}`]: `x${id}` }))).status,
      ),
    );
    expect(new Set(sent)).toEqual(new Set([200]));
    for (const each of cluster.places.nodes) {
      expect(await ids(each, 'wide')).toEqual(upTo(200));
      expect(await cell(each, `wide | summarize sum(f199)`)).toBe(199);
    }
  });

  it('say what they do not have', async () => {
    const { status, body } = await request(node(0), '/v2/datasets/seen/vacuum', { method: 'POST' });
    expect(status).toBe(501);
    expect(JSON.stringify(body)).toContain('is not available in multi-node mode');
  });

  it('have monitors of events that match', async () => {
    const monitor = { name: 'm', type: 'MatchEvent', aplQuery: 'keyed | where id == 1', notifierIds: [] };
    const { status, body } = await request(node(1), '/v2/monitors', { body: JSON.stringify(monitor) });
    expect([status, JSON.stringify(body)]).toEqual([200, expect.stringContaining('MatchEvent')]);
  });
});
