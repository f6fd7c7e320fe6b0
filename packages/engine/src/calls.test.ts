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
  // More than there can be; the same is thrown when the system refuses less.
  listener!.answer({ type: 'answer', bodyBytes: 2 ** 53, elapsedNanoseconds: 0 });
  listener!.piece(Buffer.from('a'));
  expect([(await failure).code, forgotten]).toEqual(['memory-limit', [7]]);
});
