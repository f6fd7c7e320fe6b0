import { expect, it } from 'vitest';
import { call } from './calls.js';
import type { EngineProcess } from './process.js';
import { errorOf } from './testing/engines.js';

it('an answer for which there is no memory fails its call alone', async () => {
  let listener: Parameters<EngineProcess['begin']>[1] | undefined;
  const forgotten: number[] = [];
  const process = {
    begin: (_, given) => ((listener = given), 7),
    forget: (number) => void forgotten.push(number),
    cancel: () => undefined,
  } satisfies Pick<EngineProcess, 'begin' | 'forget' | 'cancel'> as unknown as EngineProcess;
  const request = { type: 'run', lane: 'query', sql: 'SELECT 1', settings: {}, priority: 'normal' } as const;
  const failure = errorOf(call(process, request, undefined, 'at-once'));
  // More than any buffer can hold; a failing allocation throws the same error.
  listener!.answer({ type: 'answer', bodyBytes: 2 ** 53, elapsedNanoseconds: 0 });
  listener!.piece(Buffer.from('a'));
  expect([(await failure).code, forgotten]).toEqual(['memory-limit', [7]]);
});

const request = { type: 'run', lane: 'query', sql: 'SELECT 1', settings: {}, priority: 'normal' } as const;

/** A process that ignores cancellation. */
function stubborn() {
  let listener: Parameters<EngineProcess['begin']>[1] | undefined;
  const canceled: number[] = [];
  const process = {
    begin: (_, given) => ((listener = given), 7),
    forget: () => undefined,
    cancel: (number) => void canceled.push(number),
  } satisfies Pick<EngineProcess, 'begin' | 'forget' | 'cancel'> as unknown as EngineProcess;
  return { process, canceled, listener: () => listener! };
}

it('a statement that does not stop at its time limit is canceled, and its caller waits no longer', async () => {
  const { process, canceled, listener } = stubborn();
  const error = await errorOf(call(process, { ...request, milliseconds: -450 }, undefined, 'at-once'));
  expect([error.code, canceled]).toEqual(['time-limit', [7]]);
  const events: string[] = [];
  void error.unfinishedStatement!.releasePromise.then(() => events.push('released'));
  void error.unfinishedStatement!.stopPromise.then(() => events.push('stopped'));
  listener().detached();
  await new Promise((resolve) => setImmediate(resolve));
  expect(events).toEqual(['released']);
  listener().failed(error);
  await error.unfinishedStatement!.stopPromise;
});

it('a stream whose statement does not stop ends when its session is replaced', async () => {
  const { process, listener } = stubborn();
  const stopping = new AbortController();
  const failure = errorOf(call(process, request, stopping.signal, 'when-stopped'));
  stopping.abort();
  listener().detached();
  expect((await failure).code).toBe('cancelled');
});
