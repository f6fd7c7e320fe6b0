import { expect, test } from 'vitest';
import { fingerprintOf, IdempotentRequests, idempotencyOf, type IngestReply } from './idempotency.js';
import type { SentOptions } from './encode-body.js';

const body = new TextEncoder().encode('{"n":1}');
const sent: SentOptions = { contentType: 'application/json', labels: '{"a":1}', timestampField: 't' };
const status = { ingested: 1, failed: 0, failures: [], processedBytes: 7, blocksCreated: 1, walLength: 0 };

/** Sends a request after one whose answer is remembered as this text. */
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
  await expect(after(await remembered(), options)).rejects.toThrow("key 'k' was used for another request");
});

test('an answer that was remembered without options is compared by the body', async () => {
  const { fingerprint } = await fingerprintOf(body, sent);
  const old = JSON.stringify({ fingerprint, status });
  expect(await after(old, { contentType: 'text/csv' })).toMatchObject({ repeated: true });
  await expect(after(old, sent, new Uint8Array(7))).rejects.toThrow('was used for another request');
});
