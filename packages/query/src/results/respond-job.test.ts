import { describe, expect, it } from 'vitest';
import { Metrics } from '@millrace/http/metrics';
import type { RequestContext } from '@millrace/http/route';
import { answerJob, createdJob } from './respond-job.js';
import { QueryScheduler, unlimitedMemory } from '../schedule/query-scheduler.js';
import { ExportSlots } from '../schedule/export-slots.js';
import { Jobs } from '../schedule/jobs.js';

/**
 * A connection that ends before the response is read leaves a generator that never runs. These
 * tests never read a response, so cleanup must happen without it.
 */

const large = new Uint8Array(1024 * 1024);
const about = { kind: 'apl', text: 'logs' } as const;

function oneQuery() {
  const abort = new AbortController();
  const principal = { kind: 'api-token', tokenId: 't', tokenName: 't', userId: 'u', capabilities: [] } as const;
  const jobs = new Jobs({
    scheduler: new QueryScheduler(1, unlimitedMemory),
    maxConcurrentQueries: 1,
    queryTimeout: 60_000,
    queryWaitTimeout: 60_000,
    exportSlots: new ExportSlots({ atOnce: 1, leastReaderPace: 0 }),
    metrics: new Metrics(),
  });
  return { jobs, abort, call: { principal, traceId: '1', abort } as unknown as RequestContext };
}

describe('a long response without a reader', () => {
  it.each(['while it is made', 'when it is there'])('is no job any more once its reader is gone, %s', async (when) => {
    const { jobs, abort, call } = oneQuery();
    const makeResponse = async () => {
      if (when === 'while it is made') abort.abort();
      return { pieces: [large], mediaType: 'application/json', headers: {} };
    };
    await answerJob(jobs, call, about, makeResponse);
    expect(jobs.list()).toHaveLength(when === 'while it is made' ? 0 : 1);
    abort.abort();
    expect(jobs.list()).toEqual([]);
  });
});

describe('a stream without a reader', () => {
  it.each(['before its first bytes', 'behind them'])(
    'lets go of what it reads from, its reader gone %s',
    async (when) => {
      const { jobs, abort, call } = oneQuery();
      const execution = jobs.begin(call, { ...about, kind: 'export' });
      let open = false;
      const rows = async function* () {
        open = true;
        try {
          if (when === 'before its first bytes') abort.abort();
          yield large;
        } finally {
          open = false;
        }
      };
      await createdJob(rows(), execution);
      abort.abort();
      await new Promise(setImmediate);
      expect([jobs.list(), open]).toEqual([[], false]);
    },
  );
});

describe('a stream with a slow reader', () => {
  it.each([1, 2])('breaks off when its query is stopped, after %i of its pieces', async (taken) => {
    const { jobs, abort, call } = oneQuery();
    const rows = async function* () {
      for (let i = 0; i < 3; i++) yield large;
    };
    const iterator = (await createdJob(rows(), jobs.begin(call, { ...about, kind: 'export' })))[Symbol.asyncIterator]();
    for (let i = 0; i < taken; i++) await iterator.next();
    // The reader is still connected, and must not take the partial response for the complete one.
    abort.abort();
    await expect(iterator.next()).rejects.toMatchObject({ code: 'query-cancelled' });
    expect(jobs.list()).toEqual([]);
  });
});
