import { httpError } from '../errors.js';
import type { RememberedAnswer } from '../storage/remembered-answers.js';
import type { Idempotency } from '../storage/frame.js';
import type { IngestStatus } from './answer.js';
import type { SentOptions } from './encode-body.js';
import type { IngestReply } from './ingest-reply.js';

/** Requests with an idempotency key, which may be sent more than once and are stored once. */

/**
 * What is remembered with a key: enough to answer again, and to notice that the key is used for
 * something else.
 */
interface Remembered extends KnownBefore {
  readonly status: IngestStatus;
}

/** Hashes that tell requests apart. */
interface Fingerprint {
  /** Of the body. */
  readonly fingerprint: string;
  /** Of what says how the body is to be read. */
  readonly options: string;
}

/** Answers remembered by older versions have no `options`. */
type KnownBefore = Omit<Fingerprint, 'options'> & Partial<Fingerprint>;

/** The fingerprint of a request. The order of its options does not matter. */
export const fingerprintOf = async (body: Uint8Array, options: SentOptions): Promise<Fingerprint> => ({
  fingerprint: await hashOf(body),
  options: await hashOf(Buffer.from(JSON.stringify(Object.entries(options).toSorted()))),
});

/** Computed outside this thread, because a large body takes a tenth of a second. */
const hashOf = async (bytes: Uint8Array): Promise<string> =>
  Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('base64url');

export const idempotencyOf = (key: string, fingerprint: Fingerprint, status: IngestStatus): Idempotency => ({
  key,
  answer: JSON.stringify({ ...fingerprint, status } satisfies Remembered),
});

interface KeyedRequest {
  readonly datasetId: number;
  readonly key: string;
  readonly fingerprint: Fingerprint;
  /** The remembered answer to a stored request with this key. */
  readonly find: () => Promise<RememberedAnswer | undefined>;
  /** Stores the events. */
  readonly store: () => Promise<IngestReply>;
}

/**
 * Stores the request of each key once: a repetition gets the answer of the first request, even
 * while that one is still running.
 */
export class IdempotentRequests {
  readonly #running = new Map<string, { readonly fingerprint: Fingerprint; readonly reply: Promise<IngestReply> }>();

  /**
   * @throws HttpError `key-reused` when the key was used before with a different body or different
   * options
   */
  async run(request: KeyedRequest): Promise<IngestReply> {
    const { key, fingerprint } = request;
    const id = `${request.datasetId} ${key}`;
    const running = this.#running.get(id);
    if (running !== undefined) {
      // Before the wait: how another request ends is no answer to this one.
      requireSame(key, running.fingerprint, fingerprint);
      return { ...(await running.reply), repeated: true };
    }
    const reply = this.#first(request);
    this.#running.set(id, { fingerprint, reply });
    try {
      return await reply;
    } finally {
      this.#running.delete(id);
    }
  }

  async #first({ key, fingerprint, find, store }: KeyedRequest): Promise<IngestReply> {
    const found = await find();
    if (found === undefined) return store();
    const remembered = JSON.parse(found.answer) as Remembered;
    requireSame(key, remembered, fingerprint);
    return { status: remembered.status, position: found.position, repeated: true };
  }
}

function requireSame(key: string, before: KnownBefore, now: Fingerprint): void {
  const { fingerprint, options = now.options } = before;
  if (fingerprint !== now.fingerprint || options !== now.options) throw httpError('key-reused', { key });
}
