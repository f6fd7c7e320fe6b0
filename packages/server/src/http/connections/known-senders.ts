import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { networkOf } from '../../access/network-of.js';
import { Recent } from '../../memory/recent.js';
import { hashSecret } from '../../metadata/secrets.js';

/** Senders that are remembered; others have to be found out once more. */
const mostKnown = 10_000;

/** The headers that tokens come in. */
const tokenHeaders = [
  'authorization',
  'cookie',
  'dd-api-key',
  'x-amz-firehose-access-key',
  'x-honeycomb-team',
] as const satisfies readonly (keyof IncomingHttpHeaders)[];

/**
 * Tells senders apart before their tokens are looked up. Whatever a token is that has not been
 * found good yet, its requests count as those of its address: otherwise anybody could be as many
 * senders as they have words.
 */
export class KnownSenders {
  readonly #parties = new Recent<string, string>(mostKnown);

  /** The token of a request was found good, and is this party's. */
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

/** Nothing that is secret is kept. */
function keyOf(headers: IncomingHttpHeaders): string | undefined {
  const texts = tokenHeaders.map((name) => headers[name] ?? '').join('\n');
  return texts.length < tokenHeaders.length ? undefined : hashSecret(texts);
}
