import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { createTestServer } from '@millrace/server/testing/test-server';
import { json, route } from '../route.js';

const hook = route({
  tag: 'Test',
  summary: 'Test',
  need: { scope: 'login' },
  method: 'POST',
  path: '/odd/hook/{key}/{dataset}',
  operation: 'takeHook',
  secretPath: true,
  request: { params: Type.Object({ key: Type.String(), dataset: Type.String() }) },
  responses: { 200: { description: 'Done.' } },
  handle: () => json({}),
});

test('neither log lines nor error responses have tokens of paths, whether or not a route serves them', async () => {
  const world = await createTestServer({ routes: () => [hook] });
  try {
    const paths = ['/odd/hook/hush/logs', '/odd/hook/hush', '/Odd/Hook/hush/logs/x', '/no/xaat-0-000000000abc'];
    const responses = await Promise.all(paths.map((path) => world.send('DELETE', path)));
    expect(responses.map(({ status }) => status)).toEqual([405, 404, 404, 404]);
    expect(JSON.stringify(responses.map(({ body }) => body))).not.toMatch(/hush|000000000abc/);
    expect(world.logLines.join('')).toContain('/odd/hook/{key}/logs');
    expect(world.logLines.join('')).not.toMatch(/hush|000000000abc/);
  } finally {
    await world.close();
  }
});
