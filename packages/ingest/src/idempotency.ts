import { createHash } from 'node:crypto';
import { httpError } from '@millrace/api/errors';
import type { StoredResponse } from '@millrace/storage/idempotency-store';
import type { Idempotency } from '@millrace/storage/frame';
import type { IngestStatus } from './response.js';
import type { BodySender } from './encoders.js';
import type { SentOptions } from './encode-body.js';
import type { IngestReply } from './ingest-reply.js';

/** Requests with an idempotency key, which may be sent more than once and are stored once. */

/**
 * Stored with a key: enough to repeat the response, and to detect that the key is reused for a
 * different request.
 */
interface StoredReply extends KnownBefore {
  readonly status: IngestStatus;
}

/** Hashes that identify a request. */
interface Fingerprint {
  /** Hash of the body. */
  readonly fingerprint: string;
  /** Hash of the parsing options. */
  readonly options: string;
}

/** Replies stored by older versions have no `options`. */
type KnownBefore = Omit<Fingerprint, 'options'> & Partial<Fingerprint>;

/** The fingerprint of a request. The order of its options does not matter. */
export const fingerprintOf = async (body: Uint8Array, options: SentOptions): Promise<Fingerprint> => ({
  fingerprint: await hashOf(body),
  options: await hashOf(Buffer.from(JSON.stringify(Object.entries(options).toSorted()))),
});

/** Identifies a request without a key. Equal bodies of one sender may be a repetition. */
export const digestOf = ({ fingerprint, options }: Fingerprint, sender: BodySender | undefined): string =>
  createHash('sha256')
    .update(`${fingerprint} ${options} ${sender?.token ?? ''}`)
    .digest('base64url');

/** Computed outside this thread, because a large body takes a tenth of a second. */
const hashOf = async (bytes: Uint8Array): Promise<string> =>
  Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('base64url');

export const idempotencyOf = (key: string, fingerprint: Fingerprint, status: IngestStatus): Idempotency => ({
  key,
  answer: JSON.stringify({ ...fingerprint, status } satisfies StoredReply),
});

interface KeyedRequest {
  readonly datasetId: number;
  readonly key: string;
  readonly fingerprint: Fingerprint;
  /** The stored reply to an earlier request with this key. */
  readonly find: () => Promise<StoredResponse | undefined>;
  /** Stores the events. */
  readonly store: () => Promise<IngestReply>;
}

/**
 * Stores the request of each key once: a repetition gets the reply of the first request, even while
 * that is in progress.
 */
export class IdempotentRequests {
  readonly #runningRequests = new Map<
    string,
    { readonly fingerprint: Fingerprint; readonly reply: Promise<IngestReply> }
  >();

  /**
   * @throws HttpError `key-reused` when the key was used before with a different body or different
   * options
   */
  async run(request: KeyedRequest): Promise<IngestReply> {
    const { key, fingerprint } = request;
    const id = `${request.datasetId} ${key}`;
    const running = this.#runningRequests.get(id);
    if (running !== undefined) {
      // Before the wait: the outcome of a different request is no reply to this one.
      requireSame(key, running.fingerprint, fingerprint);
      return { ...(await running.reply), repeated: true };
    }
    const reply = this.#first(request);
    this.#runningRequests.set(id, { fingerprint, reply });
    try {
      return await reply;
    } finally {
      this.#runningRequests.delete(id);
    }
  }

  async #first({ key, fingerprint, find, store }: KeyedRequest): Promise<IngestReply> {
    const found = await find();
    if (found === undefined) return store();
    const remembered = JSON.parse(found.answer) as StoredReply;
    requireSame(key, remembered, fingerprint);
    return { status: remembered.status, position: found.position, repeated: true };
  }
}

function requireSame(key: string, before: KnownBefore, now: Fingerprint): void {
  const { fingerprint, options = now.options } = before;
  if (fingerprint !== now.fingerprint || options !== now.options) throw httpError('key-reused', { key });
}
