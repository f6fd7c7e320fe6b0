import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { networkOf } from '../access/client-network.js';
import { LruCache } from '@millrace/runtime/memory/lru-cache';
import { hashSecret } from '@millrace/metadata/secrets';

/** Maximum cached senders; evicted ones count by address until their token is verified again. */
const maxClients = 10_000;

/** The headers that tokens come in. */
const tokenHeaders = [
  'authorization',
  'cookie',
  'dd-api-key',
  'x-amz-firehose-access-key',
  'x-honeycomb-team',
] as const satisfies readonly (keyof IncomingHttpHeaders)[];

/**
 * Determines the client of a request before its token is looked up. Requests with an unverified
 * token count for their address: otherwise a client could pose as many clients by sending random
 * tokens.
 */
export class ClientCache {
  readonly #parties = new LruCache<string, string>(maxClients);

  /** Call when the token of a request was verified, with its quota key. */
  note({ headers }: FastifyRequest, party: string): void {
    const key = keyOf(headers);
    if (key !== undefined && this.#parties.get(key) !== party) this.#parties.set(key, party);
  }

  /** Whose a request probably is. */
  of({ headers, ip }: FastifyRequest): string {
    const key = keyOf(headers);
    return (key === undefined ? undefined : this.#parties.get(key)) ?? `address ${networkOf(ip)}`;
  }
}

/** Hashes the credentials: secrets are not stored. */
function keyOf(headers: IncomingHttpHeaders): string | undefined {
  const texts = tokenHeaders.map((name) => headers[name] ?? '').join('\n');
  return texts.length < tokenHeaders.length ? undefined : hashSecret(texts);
}
