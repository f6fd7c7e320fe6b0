import { expect, test } from 'vitest';
import { fingerprintOf, IdempotentRequests, idempotencyOf } from './idempotency.js';
import type { IngestReply } from './ingest-reply.js';
import type { SentOptions } from './encode-body.js';

const body = new TextEncoder().encode('{"n":1}');
const sentOptions: SentOptions = { contentType: 'application/json', labels: '{"a":1}', timestampField: 't' };
const status = { ingested: 1, failed: 0, failures: [], processedBytes: 7, blocksCreated: 1, walLength: 0 };

/** Sends a request after one whose stored reply is this text. */
async function after(answer: string, options: SentOptions, bytes = body): Promise<IngestReply> {
  const fingerprint = await fingerprintOf(bytes, options);
  const store = () => Promise.reject(new Error('stored again'));
  const find = async () => ({ position: 1n, answer });
  return new IdempotentRequests().run({ datasetId: 1, key: 'k', fingerprint, find, store });
}
const rememberedAnswer = async (): Promise<string> =>
  idempotencyOf('k', await fingerprintOf(body, sentOptions), status).answer;

test('a repetition says the same in any order', async () => {
  const again = { timestampField: 't', labels: '{"a":1}', contentType: 'application/json' };
  expect(await after(await rememberedAnswer(), again)).toMatchObject({ repeated: true, status });
});

test.each<SentOptions>([
  { ...sentOptions, labels: '{"a":2}' },
  { ...sentOptions, contentType: 'text/csv' },
  { ...sentOptions, timestampField: 'u' },
  { contentType: sentOptions.contentType },
])('the same body read in another way is no repetition: %j', async (options) => {
  await expect(after(await rememberedAnswer(), options)).rejects.toThrow(
    "key 'k' was already used for a different request",
  );
});

test('an answer that was remembered without options is compared by the body', async () => {
  const { fingerprint } = await fingerprintOf(body, sentOptions);
  const old = JSON.stringify({ fingerprint, status });
  expect(await after(old, { contentType: 'text/csv' })).toMatchObject({ repeated: true });
  await expect(after(old, sentOptions, new Uint8Array(7))).rejects.toThrow('was already used for a different request');
});

/**
 * Requests with the same key, which was not stored before. `run` takes the function that stores
 * one.
 */
async function together() {
  const requests = new IdempotentRequests();
  const find = () => Promise.resolve(undefined);
  const [same, other] = [await fingerprintOf(body, sentOptions), await fingerprintOf(new Uint8Array(7), sentOptions)];
  const run = (fingerprint: typeof same, store: () => Promise<IngestReply>): Promise<IngestReply> =>
    requests.run({ datasetId: 1, key: 'k', fingerprint, find, store });
  return { same, other, run };
}
const storedReply = { status, position: 1n, repeated: false };
const rejectStore = (): Promise<IngestReply> => Promise.reject(new Error('stored twice'));

test('while one runs, a repetition waits for it, and another request with its key is refused at once', async () => {
  const { same, other, run } = await together();
  let finish: ((reply: IngestReply) => void) | undefined;
  const first = run(same, () => new Promise((resolve) => (finish = resolve)));
  const again = run(same, rejectStore);
  await expect(run(other, rejectStore)).rejects.toThrow('was already used for a different request');
  finish!(storedReply);
  expect(await first).toEqual(storedReply);
  expect(await again).toEqual({ ...storedReply, repeated: true });
});

test('when one fails, its repetition hears why, another request does not, and the key is free', async () => {
  const { same, other, run } = await together();
  let fail: ((error: Error) => void) | undefined;
  const failed = run(same, () => new Promise((_, reject) => (fail = reject)));
  const outcomes = Promise.allSettled([failed, run(same, rejectStore), run(other, rejectStore)]);
  await expect.poll(() => fail).toBeDefined();
  fail!(new Error('the disk is full'));
  expect((await outcomes).map((outcome) => outcome.status === 'rejected' && (outcome.reason as Error).message)).toEqual(
    ['the disk is full', 'the disk is full', expect.stringContaining('was already used for a different request')],
  );
  expect(await run(other, () => Promise.resolve(storedReply))).toEqual(storedReply);
});
