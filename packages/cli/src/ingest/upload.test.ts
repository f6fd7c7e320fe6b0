import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { AnswerOf, Operation } from '@millrace/client';
import { Client } from '../connection/client.js';
import type { OutgoingRequest } from '@millrace/sources/files/outgoing-events';
import { emptyTally, upload, type UploadOptions } from './upload.js';

const MiB = 1024 * 1024;

class Sink extends Client {
  override async call<O extends Operation>(): Promise<AnswerOf<O>> {
    await turn();
    return { ingested: 1, failed: 0, failures: [] } as unknown as AnswerOf<O>;
  }
}

it('releases each request when its response arrives', async () => {
  const requests = 600;
  let max = 0;
  async function* large(): AsyncGenerator<OutgoingRequest> {
    for (let i = 0; i < requests; i++) {
      max = Math.max(max, process.memoryUsage().arrayBuffers);
      yield { input: 'x', offset: i, format: 'ndjson', body: new Uint8Array(MiB) };
    }
  }
  const options: UploadOptions = {
    client: new Sink({ url: 'http://server', token: 'x' }),
    dataset: 'x',
    query: {},
    headers: {},
    usesTimeField: false,
    concurrency: 4,
    attempts: 1,
    key: 'k',
    smaller: large,
    interrupted: new AbortController().signal,
    progress: () => undefined,
    pausing: () => undefined,
  };
  const tally = emptyTally();
  const before = process.memoryUsage().arrayBuffers;
  await upload(large(), options, tally);
  expect(tally).toMatchObject({ ingested: requests, bytes: requests * MiB });
  expect((max - before) / MiB).toBeLessThan(requests / 2);
});
