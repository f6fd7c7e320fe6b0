import { expect, it } from 'vitest';
import { EngineError } from '../errors.js';
import { syncError } from './sync.js';

const openSignal = new AbortController().signal;
const abortedSignal = AbortSignal.abort();
const liveReplica = { lost: openSignal };
const lostReplica = { lost: abortedSignal };

it.each([
  ['its time was over', liveReplica, abortedSignal, new EngineError('cancelled'), 'not in 500 ms'],
  ['it was lost', lostReplica, abortedSignal, new EngineError('cancelled'), 'it does not answer any more'],
  ['it refused', liveReplica, openSignal, new EngineError('unavailable', 'ECONNREFUSED'), 'ECONNREFUSED'],
  ['something else failed', liveReplica, openSignal, new TypeError('no row'), 'TypeError: no row'],
])('says why a replica was not synced: %s', (_, replica, within, error, reason) => {
  const { code, outcome, detail } = syncError(error, replica, within, 500);
  expect([code, outcome, detail]).toEqual(['unavailable', 'elsewhere', `a replica cannot be synced: ${reason}`]);
});
