import { EngineError } from '@millrace/engine';
import { DatasetDeleted } from '@millrace/storage/readers';
import { describe, expect, it } from 'vitest';
import { isCause, retry, RetryNeeded, type RetryReasonName } from './retry.js';

/** Attempts that fail with errors, one after the other, and the reasons they were given. */
async function attempts(names: readonly RetryReasonName[], errors: readonly Error[]) {
  const left = [...errors];
  const reasons: (RetryReasonName | undefined)[] = [];
  const result = await retry(names, async (previous) => {
    reasons.push(previous?.reason);
    const error = left.shift();
    if (error !== undefined) throw error;
    return 'result';
  }).catch((error: unknown) => error);
  return { result, reasons };
}

const tooMuchMemory = new EngineError('memory-limit');
const deletedError = new DatasetDeleted();
const unknown = new EngineError('unknown-column');

describe('retry', () => {
  it('tells an attempt why it is made, and fails with the last error', async () => {
    expect(await attempts(['memory-grant'], [tooMuchMemory])).toEqual({
      result: 'result',
      reasons: [undefined, 'memory-grant'],
    });
    const last = new EngineError('memory-limit');
    const { result, reasons } = await attempts(['memory-grant'], [tooMuchMemory, last]);
    expect([result === last, reasons]).toEqual([true, [undefined, 'memory-grant']]);
  });

  it('counts each reason separately; the first of several reasons of an error counts', async () => {
    const { result, reasons } = await attempts(
      ['dataset-deleted', 'schema-changed'],
      [deletedError, unknown, deletedError],
    );
    expect([result, reasons]).toEqual(['result', [undefined, 'dataset-deleted', 'schema-changed', 'dataset-deleted']]);
  });

  it('repeats for a result only for its own reason', async () => {
    const needed = new RetryNeeded('page-not-full');
    expect((await attempts(['page-not-full'], [needed])).result).toBe('result');
    expect((await attempts(['event-outside-range'], [needed])).result).toBe(needed);
  });

  it('does not repeat for other errors', async () => {
    const error = new EngineError('time-limit');
    expect(await attempts(['dataset-deleted', 'schema-changed', 'memory-grant'], [error])).toEqual({
      result: error,
      reasons: [undefined],
    });
    expect(isCause('memory-grant', new Error('other'))).toBe(false);
  });
});
