import { expect, it } from 'vitest';
import type { Connection, RemoteRequest } from './remote-connection.js';
import { EngineError } from './errors.js';
import { queryOver, streamOver } from './remote-statements.js';

/** A connection to a server that never answers. */
const hung: Connection = {
  ping: () => new Promise(() => undefined),
  request: ({ signal }) =>
    new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new EngineError('cancelled')))),
  async *stream(request: RemoteRequest) {
    await hung.request(request);
    yield new Uint8Array();
  },
  kill: () => undefined,
  close: () => undefined,
};

it('a query of a server that hangs ends soon after its limit, and is canceled before that if wanted', async () => {
  const format = 'CSV' as const;
  const { signal } = new AbortController();
  const marks = { queryId: 'q', signal };
  const short = { maxSeconds: 0.01 };
  const codeOf = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => 'an answer',
      (error: EngineError) => error.code,
    );
  const first = async (): Promise<unknown> => streamOver(hung, 'SELECT 1', { format }, short, marks).next();
  const began = performance.now();
  expect(
    await Promise.all([
      codeOf(queryOver(hung, 'SELECT 1', { format }, short, marks)),
      codeOf(queryOver(hung, 'SELECT 1', { format, deadline: performance.now() + 10 }, undefined, marks)),
      codeOf(first()),
      codeOf(queryOver(hung, 'SELECT 1', { format }, undefined, { queryId: 'q', signal: AbortSignal.timeout(10) })),
    ]),
  ).toEqual(['time-limit', 'time-limit', 'time-limit', 'cancelled']);
  expect(performance.now() - began).toBeGreaterThan(1900);
});
