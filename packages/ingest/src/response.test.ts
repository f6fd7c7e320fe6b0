import type { EncodeResult } from '@millrace/events';
import { expect, test } from 'vitest';
import { ingestStatus } from './response.js';

test('the pending count for the engine has 32 bits', () => {
  const nothing = { ingested: 0, failed: 0, failures: [], dropped: [] } as Partial<EncodeResult> as EncodeResult;
  const walLengthOf = (waiting: number) => ingestStatus(nothing, 0, waiting).walLength;
  expect([walLengthOf(7), walLengthOf(2 ** 32 - 1), walLengthOf(2 ** 33)]).toEqual([7, 2 ** 32 - 1, 2 ** 32 - 1]);
});
