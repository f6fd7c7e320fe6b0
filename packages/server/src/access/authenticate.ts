import { httpError } from '../errors.js';
import type { Clock } from '../metadata/clock.js';
import type { Metadata } from '../metadata/metadata.js';
import type { AuthenticatedPrincipal } from './allowed.js';
import { capabilitiesOf } from './rights.js';
import { hashSecret, isSecret } from './secrets.js';

interface Known {
  readonly principal: AuthenticatedPrincipal;
  /** Milliseconds since the epoch. */
  readonly expires: number;
}

/** Tokens whose rights are kept; if more are in use, all are forgotten and looked up again. */
const keptTokens = 10_000;

/**
 * Finds out who sends a request. What a token may do is kept until anybody's rights change, so that a request costs one hash. Only tokens that
 * exist are kept, so guesses take up no room.
 */
export class Authenticator {
  readonly #metadata: Metadata;
  readonly #clock: Clock;
  readonly #known = new Map<string, Known>();
  #version = -1;

  constructor(metadata: Metadata, clock: Clock = Date.now) {
    this.#metadata = metadata;
    this.#clock = clock;
  }

  /**
   * @param authorization the header of the request
   * @throws HttpError `unauthenticated`
   */
  async authenticate(authorization: string | undefined): Promise<AuthenticatedPrincipal> {
    const secret = secretIn(authorization);
    if (this.#version !== this.#metadata.accessVersion()) {
      this.#version = this.#metadata.accessVersion();
      this.#known.clear();
    }
    const hash = hashSecret(secret);
    const { principal, expires } = this.#known.get(hash) ?? (await this.#look(secret, hash));
    // Written so that a time that cannot be read, which is no number, is over.
    if (!(expires > this.#clock())) throw refused('the token has expired');
    return principal;
  }

  async #look(secret: string, hash: string): Promise<Known> {
    const version = this.#metadata.accessVersion();
    const { tokens, users } = this.#metadata;
    const token = await tokens.findBySecret(secret);
    const user = token?.kind === 'personal' ? await users.find(token.userId) : undefined;
    if (token === undefined || (token.kind === 'personal' && user === undefined))
      throw refused('the token is unknown; it may be mistyped, deleted, or of another server or data directory');
    const capabilities = user === undefined ? [token.capabilities] : await capabilitiesOf(user, this.#metadata);
    const known: Known = {
      principal: {
        kind: token.kind === 'api' ? 'api-token' : 'personal-token',
        tokenId: token.id,
        tokenName: token.name,
        userId: token.userId,
        capabilities,
        ...(token.within !== undefined && { within: token.within }),
      },
      expires: token.expires === undefined ? Number.POSITIVE_INFINITY : Date.parse(token.expires),
    };
    if (this.#known.size >= keptTokens) this.#known.clear();
    // Rights that were read before a change must not be kept after it.
    if (version === this.#metadata.accessVersion()) this.#known.set(hash, known);
    return known;
  }
}

/** Why a request that needs a token and has none is refused. */
export const noToken = 'no token was sent; send "Authorization: Bearer <token>"';

const refused = (reason: string) => httpError('unauthenticated', { reason });

function secretIn(authorization: string | undefined): string {
  if (authorization === undefined || authorization.trim() === '') throw refused(noToken);
  if (/^bearer$/i.test(authorization.trim())) throw refused('the token is empty; is the variable set that holds it?');
  const match = /^bearer +(\S+)$/i.exec(authorization.trim());
  if (match === null) throw refused('the Authorization header is not of the form "Bearer <token>"');
  if (!isSecret(match[1]!)) throw refused('the token is malformed (xaat-<uuid> or xapt-<uuid> is expected)');
  return match[1]!;
}
