import { expect, it } from 'vitest';
import { EngineError } from '../errors.js';
import { syncError } from './sync.js';

const running = new AbortController().signal;
const ended = AbortSignal.abort();
const answering = { lost: running };

it.each([
  ['its time was over', answering, ended, new EngineError('cancelled'), 'not in 500 ms'],
  ['it was lost', { lost: ended }, ended, new EngineError('cancelled'), 'it does not answer any more'],
  ['it refused', answering, running, new EngineError('unavailable', 'ECONNREFUSED'), 'ECONNREFUSED'],
  ['something else failed', answering, running, new TypeError('no row'), 'TypeError: no row'],
])('says why a replica was not synced: %s', (_, replica, within, error, reason) => {
  const { code, outcome, detail } = syncError(error, replica, within, 500);
  expect([code, outcome, detail]).toEqual(['unavailable', 'elsewhere', `a replica cannot be synced: ${reason}`]);
});
