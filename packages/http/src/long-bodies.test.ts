import { setImmediate as turn } from 'node:timers/promises';
import { Type } from 'typebox';
import { expect, it, vi } from 'vitest';
import { createTestServer } from '@millrace/server/testing/test-server';
import { json, route } from './route.js';

/** Blocks for longer than the limit of long tasks per tick. */
function work(): void {
  const end = performance.now() + 12;
  while (performance.now() < end);
}

it('requests with long bodies are worked on one in each turn of the loop', async () => {
  let turns = 0;
  let over = false;
  const workedIn: number[] = [];
  const world = await createTestServer({
    routes: () => [
      route({
        tag: 'Odd',
        summary: 'Odd',
        need: { scope: 'login' },
        method: 'POST',
        path: '/odd/work',
        operation: 'work',
        request: { body: Type.Object({ text: Type.String() }) },
        responses: { 200: { description: 'Done.' } },
        handle: () => {
          work();
          workedIn.push(turns);
          return json({});
        },
      }),
    ],
  });
  const counting = (async () => {
    for (; !over; turns++) await turn();
  })();
  try {
    const body = { text: 'x'.repeat(100_000) };
    const answers = await Promise.all([1, 2, 3, 4].map(() => world.send('POST', '/odd/work', body)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set(workedIn).size).toBe(4);
  } finally {
    over = true;
    await counting;
    await world.close();
  }
});

it('a handler that copies its context does not decode the body', async () => {
  const world = await createTestServer({
    routes: () => [
      route({
        tag: 'Odd',
        summary: 'Odd',
        need: { scope: 'login' },
        method: 'POST',
        path: '/odd/copy',
        operation: 'copy',
        request: { body: 'bytes' },
        responses: { 200: { description: 'Done.' } },
        handle: (call) => json({ bytes: { ...call }.body.byteLength }),
      }),
    ],
  });
  const decode = vi.spyOn(TextDecoder.prototype, 'decode');
  try {
    const sent = await world.send('POST', '/odd/copy', 'x'.repeat(100_000));
    expect(sent.body).toEqual({ bytes: 100_000 });
    expect(decode.mock.calls.filter(([bytes]) => bytes?.byteLength === 100_000)).toEqual([]);
  } finally {
    decode.mockRestore();
    await world.close();
  }
});
