import { EngineError } from '@millrace/engine';
import { describe, expect, it } from 'vitest';
import { DatasetDeleted } from '@millrace/storage/readers';
import { retryOnChange } from './retries.js';

describe('a query', () => {
  const attempts = (errors: readonly Error[]) => {
    const left = [...errors];
    const prepare = async () => left.shift();
    const perform = async (error?: Error) => {
      if (error !== undefined) throw error;
      return 'answer';
    };
    return retryOnChange({ prepare, perform });
  };
  const column = new EngineError('unknown-column');

  it('goes on after each deletion of a dataset that it reads', async () => {
    const deleted = new DatasetDeleted();
    expect(await attempts([deleted, deleted, column, deleted])).toBe('answer');
  });

  it('of something that is not there fails when it is tried again', async () => {
    await expect(attempts([column, column])).rejects.toBe(column);
  });
});
