import { expect, test } from 'vitest';
import { createTestServer } from '@millrace/server/testing/test-server';
import { httpError } from '@millrace/api/errors';
import { json, route } from '../route.js';

const timedRoute = (path: `/${string}`, fails: boolean) =>
  route({
    tag: 'Test',
    summary: 'Test',
    need: { scope: 'public' },
    method: 'GET',
    path,
    operation: fails ? 'failTimed' : 'answerTimed',
    request: {},
    responses: { 200: { description: 'Done.' } },
    errors: ['not-found'],
    handle: (call) => {
      call.timed(() => ({ waiting: 0.1, running: 2 }));
      call.timed(() => ({ waiting: 0.2, running: 1 }));
      if (fails) throw httpError('not-found', { kind: 'thing', name: 'it' });
      return json({});
    },
  });

test.each(['/timed', '/timed/failing'])('%s: the times of its parts are added up in header and log', async (path) => {
  const world = await createTestServer({
    routes: () => [timedRoute('/timed', false), timedRoute('/timed/failing', true)],
  });
  try {
    expect((await world.send('GET', path)).headers['server-timing']).toBe('waiting;dur=0.3, running;dur=3');
    expect(world.logLines.join('')).toContain('"milliseconds":{"waiting":0.3,"running":3}');
  } finally {
    await world.close();
  }
});
