import { expect, test } from 'vitest';
import { waitedMessage } from './waited-message.js';

test('a response says how long its query waited, apart from how long it ran, if that was long', () => {
  expect(waitedMessage({ waiting: 4999, compiling: 0, running: 59_000 })).toEqual([]);
  expect(waitedMessage({ waiting: 41_260, compiling: 40, running: 1210 })).toEqual([
    expect.objectContaining({
      priority: 'info',
      msg: 'the query waited 41.3 s for its turn or for acknowledged events to be stored, and ran for 1.3 s',
    }),
  ]);
});
