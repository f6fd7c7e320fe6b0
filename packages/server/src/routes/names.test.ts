import { expect, test } from 'vitest';
import { makeWorld } from '../testing/world.js';

/** Queries name datasets and views alike. Looking at the query of a view takes time, in which a dataset may come. */
test.each(['POST', 'PUT'] as const)(
  'a name is a dataset or a view, also when both come at once (%s)',
  async (method) => {
    const world = await makeWorld();
    const view = { name: 'errors', aplQuery: "['http-logs'] | take 1" };
    const { id } = (await world.send('POST', '/v2/views', { ...view, name: 'before' })).body as { id: string };
    const statuses: number[] = [];
    Object.assign(world.deps.checks, {
      view: async () => void statuses.push((await world.send('POST', '/v2/datasets', { name: 'errors' })).status),
    });
    statuses.push((await world.send(method, method === 'PUT' ? `/v2/views/${id}` : '/v2/views', view)).status);
    expect(statuses).toEqual([200, 409]);
    expect((await world.metadata.views.list()).map(({ name }) => name)).toEqual(['before']);
    await world.close();
  },
);
