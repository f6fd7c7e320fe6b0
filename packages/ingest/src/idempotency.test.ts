import { expect, test } from 'vitest';
import { fingerprintOf, IdempotentRequests, idempotencyOf } from './idempotency.js';
import type { IngestReply } from './ingest-reply.js';
import type { SentOptions } from './encode-body.js';

const body = new TextEncoder().encode('{"n":1}');
const sent: SentOptions = { contentType: 'application/json', labels: '{"a":1}', timestampField: 't' };
const status = { ingested: 1, failed: 0, failures: [], processedBytes: 7, blocksCreated: 1, walLength: 0 };

/** Sends a request after one whose stored reply is this text. */
async function after(answer: string, options: SentOptions, bytes = body): Promise<IngestReply> {
  const fingerprint = await fingerprintOf(bytes, options);
  const store = () => Promise.reject(new Error('stored again'));
  const find = async () => ({ position: 1n, answer });
  return new IdempotentRequests().run({ datasetId: 1, key: 'k', fingerprint, find, store });
}
const remembered = async (): Promise<string> => idempotencyOf('k', await fingerprintOf(body, sent), status).answer;

test('a repetition says the same in any order', async () => {
  const again = { timestampField: 't', labels: '{"a":1}', contentType: 'application/json' };
  expect(await after(await remembered(), again)).toMatchObject({ repeated: true, status });
});

test.each<SentOptions>([
  { ...sent, labels: '{"a":2}' },
  { ...sent, contentType: 'text/csv' },
  { ...sent, timestampField: 'u' },
  { contentType: sent.contentType },
])('the same body read in another way is no repetition: %j', async (options) => {
  await expect(after(await remembered(), options)).rejects.toThrow("key 'k' was already used for a different request");
});

test('an answer that was remembered without options is compared by the body', async () => {
  const { fingerprint } = await fingerprintOf(body, sent);
  const old = JSON.stringify({ fingerprint, status });
  expect(await after(old, { contentType: 'text/csv' })).toMatchObject({ repeated: true });
  await expect(after(old, sent, new Uint8Array(7))).rejects.toThrow('was already used for a different request');
});

/**
 * Requests with the same key, which was not stored before. `run` takes the function that stores
 * one.
 */
async function together() {
  const requests = new IdempotentRequests();
  const find = () => Promise.resolve(undefined);
  const [same, other] = [await fingerprintOf(body, sent), await fingerprintOf(new Uint8Array(7), sent)];
  const run = (fingerprint: typeof same, store: () => Promise<IngestReply>): Promise<IngestReply> =>
    requests.run({ datasetId: 1, key: 'k', fingerprint, find, store });
  return { same, other, run };
}
const stored = { status, position: 1n, repeated: false };
const never = (): Promise<IngestReply> => Promise.reject(new Error('stored twice'));

test('while one runs, a repetition waits for it, and another request with its key is refused at once', async () => {
  const { same, other, run } = await together();
  let finish: ((reply: IngestReply) => void) | undefined;
  const first = run(same, () => new Promise((resolve) => (finish = resolve)));
  const again = run(same, never);
  await expect(run(other, never)).rejects.toThrow('was already used for a different request');
  finish!(stored);
  expect(await first).toEqual(stored);
  expect(await again).toEqual({ ...stored, repeated: true });
});

test('when one fails, its repetition hears why, another request does not, and the key is free', async () => {
  const { same, other, run } = await together();
  let fail: ((error: Error) => void) | undefined;
  const failed = run(same, () => new Promise((_, reject) => (fail = reject)));
  const outcomes = Promise.allSettled([failed, run(same, never), run(other, never)]);
  await expect.poll(() => fail).toBeDefined();
  fail!(new Error('the disk is full'));
  expect((await outcomes).map((outcome) => outcome.status === 'rejected' && (outcome.reason as Error).message)).toEqual(
    ['the disk is full', 'the disk is full', expect.stringContaining('was already used for a different request')],
  );
  expect(await run(other, () => Promise.resolve(stored))).toEqual(stored);
});
