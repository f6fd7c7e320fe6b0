import { describe, expect, it } from 'vitest';
import { createDataset, send } from '../support/apl.ts';
import { request } from '../support/server-process.ts';
import { cluster, ids, isMissing, node, upTo } from './cluster.ts';

describe.skipIf(isMissing)('three nodes', () => {
  it('give receipts to one another, and count again what came in', async () => {
    const { headers } = await send(node(0), 'seen', '{"id":100}');
    const position = headers.get('x-millrace-position')!;
    const receipt = async (of: string) => (await request(node(1), `/v1/receipts/${of}`)).status;
    expect([await receipt(position), await receipt(String(BigInt(position) + 1_000_000n))]).toEqual([200, 404]);
    const body = JSON.stringify({ apl: 'seen | where id == 100', commit: true });
    expect((await request(node(2), '/v2/datasets/_apl/delete', { body })).body).toMatchObject({ rowsDeleted: 1 });
    const counted = (await request(node(2), '/v1/verify', { method: 'POST' })).body as { readonly events: number };
    expect(counted).toMatchObject({ wrong: [], missing: [], refused: [], aside: [] });
    expect(counted.events).toBeGreaterThan(30);
    // Deletes an event without the nodes.
    const begun = (await request(node(0), '/v1/backup', { method: 'POST' })).body as {
      readonly datasets: readonly { readonly id: number; readonly name: string }[];
    };
    const table = `millrace.d${begun.datasets.find(({ name }) => name === 'followed')!.id}`;
    // Queried first: as a subquery of the deletion it would run for each part, also after the last
    // one was deleted.
    const last = await cluster.places.front.server.run(`SELECT max(_seq) FROM ${table}`);
    await cluster.places.front.server.run(`DELETE FROM ${table} WHERE _seq = ${last}`);
    const { wrong } = (await request(node(0), '/v1/verify', { method: 'POST' })).body as { readonly wrong: object[] };
    expect(wrong).toHaveLength(1);
  });

  it('delete for one another', async () => {
    const body = JSON.stringify({ apl: 'seen | where id >= 6', commit: true });
    expect((await request(node(0), '/v2/datasets/_apl/delete', { body })).body).toMatchObject({ rowsDeleted: 6 });
    expect(await ids(node(1), 'seen')).toEqual(upTo(6));
    expect((await request(node(1), '/v2/datasets/seen', { method: 'DELETE' })).status).toBe(204);
    expect((await send(node(2), 'seen', '{"id":1}')).status).toBe(404);
    await createDataset(node(2), 'seen');
    expect(await ids(node(0), 'seen')).toEqual([]);
  });
});
