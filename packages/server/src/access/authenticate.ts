import { httpError } from '../errors.js';
import type { Clock } from '../metadata/clock.js';
import type { Metadata } from '../metadata/metadata.js';
import type { SessionLimits, SessionRecord } from '../metadata/sessions.js';
import type { TokenRecord } from '../metadata/tokens.js';
import type { AuthenticatedPrincipal } from './allowed.js';
import { capabilitiesOf } from './rights.js';
import { hashSecret, isSecret, isSignInCode } from '../metadata/secrets.js';

interface Known {
  readonly principal: AuthenticatedPrincipal;
  /** Milliseconds since the epoch. */
  readonly expires: number;
  /** If it is known by the secret of a session. */
  readonly session?: SessionRecord;
}

/** Secrets whose rights are kept; if more are in use, all are forgotten and looked up again. */
const keptSecrets = 10_000;

/**
 * Finds out who sends a request. What a token may do is kept until anybody's rights change, so that
 * a request costs one hash. Only secrets that exist are kept, so guesses take up no room.
 */
export class Authenticator {
  readonly #metadata: Metadata;
  readonly #limits: SessionLimits;
  readonly #clock: Clock;
  readonly #known = new Map<string, Known>();
  #version = -1;

  constructor(metadata: Metadata, limits: SessionLimits, clock: Clock = Date.now) {
    this.#metadata = metadata;
    this.#limits = limits;
    this.#clock = clock;
  }

  /**
   * @param authorization the header of the request
   * @throws HttpError `unauthenticated`
   */
  async authenticate(authorization: string | undefined): Promise<AuthenticatedPrincipal> {
    const secret = bearerIn(authorization);
    if (!isSecret(secret)) throw refused('the token is malformed (xaat-<uuid> or xapt-<uuid> is expected)');
    const principal = this.#valid(await this.#find(secret, () => this.#byToken(secret)));
    this.#metadata.tokenUses.note(principal.tokenId);
    return principal;
  }

  /**
   * Who signs in: with a token, or with a code that stands for one.
   * @throws HttpError `unauthenticated`
   */
  async signIn(authorization: string | undefined): Promise<AuthenticatedPrincipal> {
    const code = signInCodeIn(authorization);
    if (code === undefined) return this.authenticate(authorization);
    const tokenId = await this.#metadata.sessions.tokenOfCode(code);
    const token = tokenId === undefined ? undefined : await this.#metadata.tokens.find(tokenId);
    if (token === undefined)
      throw refused('the sign-in code has been used, is older than ten minutes, or is of another server');
    return this.#valid(await this.#about(token));
  }

  /**
   * Who is behind a session.
   * @param secret of the cookie
   * @throws HttpError `unauthenticated`
   */
  async session(secret: string): Promise<AuthenticatedPrincipal> {
    const known = await this.#find(secret, () => this.#bySession(secret));
    const { sessions, tokenUses } = this.#metadata;
    const { session } = known;
    if (session === undefined) throw refused(noSession);
    if (!(sessions.expiry(session, this.#limits) > this.#clock())) throw refused('the session is over; sign in again');
    const principal = this.#valid(known);
    sessions.use(session);
    tokenUses.note(principal.tokenId);
    return principal;
  }

  #valid({ principal, expires }: Known): AuthenticatedPrincipal {
    // Written so that a time that cannot be read, which is no number, is over.
    if (!(expires > this.#clock())) throw refused('the token has expired');
    return principal;
  }

  async #find(secret: string, look: () => Promise<Known>): Promise<Known> {
    // Another process may have taken rights away.
    const news = this.#metadata.upToDate();
    if (news !== undefined) await news;
    const version = this.#metadata.accessVersion();
    if (this.#version !== version) {
      this.#version = version;
      this.#known.clear();
    }
    const hash = hashSecret(secret);
    const present = this.#known.get(hash);
    if (present !== undefined) return present;
    const known = await look();
    if (this.#known.size >= keptSecrets) this.#known.clear();
    // Rights that were read before a change must not be kept after it.
    if (version === this.#metadata.accessVersion()) this.#known.set(hash, known);
    return known;
  }

  async #byToken(secret: string): Promise<Known> {
    const token = await this.#metadata.tokens.findBySecret(secret);
    if (token === undefined) throw refused(unknownToken);
    return this.#about(token);
  }

  async #bySession(secret: string): Promise<Known> {
    const { sessions, tokens } = this.#metadata;
    const session = await sessions.findBySecret(secret);
    const token = session === undefined ? undefined : await tokens.find(session.tokenId);
    if (session === undefined || token === undefined) throw refused(noSession);
    const { principal, expires } = await this.#about(token);
    return { principal: { ...principal, sessionId: session.id }, expires, session };
  }

  async #about(token: TokenRecord): Promise<Known> {
    const user = token.kind === 'personal' ? await this.#metadata.users.find(token.userId) : undefined;
    if (token.kind === 'personal' && user === undefined) throw refused(unknownToken);
    const capabilities = user === undefined ? [token.capabilities] : await capabilitiesOf(user, this.#metadata);
    return {
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
  }
}

/** Why a request that needs a token and has none is refused. */
export const noToken = 'no token was sent; send "Authorization: Bearer <token>"';

const unknownToken = 'the token is unknown; it may be mistyped, deleted, or of another server or data directory';
const noSession = 'this browser is not signed in, or no longer; sign in again';

const refused = (reason: string) => httpError('unauthenticated', { reason });

/** The sign-in code in the header `Authorization`, if it has one there instead of a token. */
export function signInCodeIn(authorization = ''): string | undefined {
  const [, text = ''] = /^bearer +(\S+)$/i.exec(authorization.trim()) ?? [];
  return isSignInCode(text) ? text : undefined;
}

function bearerIn(authorization: string | undefined): string {
  if (authorization === undefined || authorization.trim() === '') throw refused(noToken);
  if (/^bearer$/i.test(authorization.trim())) throw refused('the token is empty; is the variable set that holds it?');
  const match = /^bearer +(\S+)$/i.exec(authorization.trim());
  if (match === null) throw refused('the Authorization header is not of the form "Bearer <token>"');
  return match[1]!;
}
