import { httpError } from '@millrace/api/errors';
import type { Clock } from '@millrace/metadata/clock';
import type { Metadata } from '@millrace/metadata/metadata';
import type { SessionLimits, SessionRecord } from '@millrace/metadata/sign-in/sessions';
import { identityTokenId, isIdentityToken } from '@millrace/metadata/sign-in/identity-token';
import { isOwnerToken, type TokenRecord } from '@millrace/metadata/tokens';
import type { UserRecord } from '@millrace/metadata/users';
import type { AuthenticatedPrincipal, PersonIdentity } from './authorize.js';
import { capabilitiesOf } from './permissions.js';
import { hashSecret, isSecret, isSignInCode } from '@millrace/metadata/secrets';

interface CachedPrincipal {
  readonly principal: AuthenticatedPrincipal;
  /** Milliseconds since the epoch. */
  readonly expires: number;
  /** When the token is suspended until its user signs in. */
  readonly suspendedFrom?: number;
  /** If it is known by the secret of a session. */
  readonly session?: SessionRecord;
}

interface AuthenticationLimits extends SessionLimits {
  /** How long after the last sign-in at a provider the personal tokens of a user work. */
  readonly tokensRest?: number;
}

/** Maximum secrets with cached rights; above it, the cache is cleared. */
const keptSecrets = 10_000;

/**
 * Authenticates requests. Caches the rights of a token until any rights change, so that a request
 * costs one hash. Caches only existing secrets, so that guesses take no memory.
 */
export class Authenticator {
  readonly #metadata: Metadata;
  readonly #limits: AuthenticationLimits;
  readonly #clock: Clock;
  readonly #cache = new Map<string, CachedPrincipal>();
  #version = -1;

  constructor(metadata: Metadata, limits: AuthenticationLimits, clock: Clock = Date.now) {
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
    if (!isSecret(secret)) throw authenticationError('the token is malformed (xaat-<uuid> or xapt-<uuid> is expected)');
    const principal = this.#valid(await this.#find(secret, () => this.#byToken(secret)));
    this.#metadata.tokenUses.note(principal.tokenId);
    return principal;
  }

  /**
   * Authenticates a sign-in: by a token, or by a code that represents one.
   * @throws HttpError `unauthenticated`
   */
  async signIn(authorization: string | undefined): Promise<AuthenticatedPrincipal> {
    const code = signInCodeIn(authorization);
    if (code === undefined) return this.authenticate(authorization);
    const tokenId = await this.#metadata.sessions.tokenOfCode(code);
    const token = tokenId === undefined ? undefined : await this.#metadata.tokens.find(tokenId);
    if (token === undefined)
      throw authenticationError('the sign-in code has been used, is older than ten minutes, or is of another server');
    return this.#valid(await this.#about(token));
  }

  /**
   * Finds the principal of a session.
   * @param secret of the cookie
   * @throws HttpError `unauthenticated`
   */
  async session(secret: string): Promise<AuthenticatedPrincipal> {
    const known = await this.#find(secret, () => this.#bySession(secret));
    const { sessions, tokenUses } = this.#metadata;
    const { session } = known;
    if (session === undefined) throw authenticationError(noSession);
    if (!(sessions.expiry(session, this.#limits) > this.#clock()))
      throw authenticationError('the session has ended; sign in again');
    const principal = this.#valid(known);
    sessions.use(session);
    tokenUses.note(principal.tokenId);
    return principal;
  }

  /**
   * Finds the principal of a person who is signed in to another organization of the server.
   * @throws HttpError `unauthenticated` if the person is no member of this one
   */
  async member({ issuer, subject }: Pick<PersonIdentity, 'issuer' | 'subject'>): Promise<AuthenticatedPrincipal> {
    const known = await this.#find(`${issuer}\n${subject}`, async () => {
      const { identities, tokens } = this.#metadata;
      const identity = await identities.findBySubject(issuer, subject);
      // Deleting this token ends the access of the person until the next sign-in, as it does here.
      const token = identity === undefined ? undefined : await tokens.find(identityTokenId(identity.id));
      if (token === undefined) throw authenticationError(otherOrganization);
      return this.#about(token);
    });
    this.#metadata.tokenUses.note(known.principal.tokenId);
    return this.#valid(known);
  }

  #valid({ principal, expires, suspendedFrom = Number.POSITIVE_INFINITY }: CachedPrincipal): AuthenticatedPrincipal {
    // Written so that a time that cannot be read, which is no number, is over.
    if (!(expires > this.#clock())) throw authenticationError('the token has expired');
    if (!(suspendedFrom > this.#clock()))
      throw authenticationError('the token is suspended; sign in to the console to use it again');
    return principal;
  }

  async #find(secret: string, look: () => Promise<CachedPrincipal>): Promise<CachedPrincipal> {
    // Another process may have revoked rights.
    const news = this.#metadata.upToDate();
    if (news !== undefined) await news;
    const version = this.#metadata.accessVersion();
    if (this.#version !== version) {
      this.#version = version;
      this.#cache.clear();
    }
    const hash = hashSecret(secret);
    const present = this.#cache.get(hash);
    if (present !== undefined) return present;
    const known = await look();
    if (this.#cache.size >= keptSecrets) this.#cache.clear();
    // Rights read before a change must not be cached after it.
    if (version === this.#metadata.accessVersion()) this.#cache.set(hash, known);
    return known;
  }

  async #byToken(secret: string): Promise<CachedPrincipal> {
    const token = await this.#metadata.tokens.findBySecret(secret);
    if (token === undefined) throw authenticationError(unknownToken);
    return this.#about(token);
  }

  async #bySession(secret: string): Promise<CachedPrincipal> {
    const { sessions, tokens } = this.#metadata;
    const session = await sessions.findBySecret(secret);
    const token = session === undefined ? undefined : await tokens.find(session.tokenId);
    if (session === undefined || token === undefined) throw authenticationError(noSession);
    const known = await this.#about(token);
    return { ...known, principal: { ...known.principal, sessionId: session.id }, session };
  }

  async #about(token: TokenRecord): Promise<CachedPrincipal> {
    const user = token.kind === 'personal' ? await this.#metadata.users.find(token.userId) : undefined;
    if (token.kind === 'personal' && user === undefined) throw authenticationError(unknownToken);
    if (user?.deactivated !== undefined) throw authenticationError('the user of the token is deactivated');
    const capabilities = user === undefined ? [token.capabilities] : await capabilitiesOf(user, this.#metadata);
    return {
      principal: {
        kind: token.kind === 'api' ? 'api-token' : 'personal-token',
        tokenId: token.id,
        tokenName: token.name,
        userId: token.userId,
        capabilities,
        ...(token.within !== undefined && { within: token.within }),
        ...(await this.#identityOf(token)),
      },
      expires: token.expires === undefined ? Number.POSITIVE_INFINITY : Date.parse(token.expires),
      ...(user !== undefined && { suspendedFrom: await this.#suspensionTime(token, user) }),
    };
  }

  /** Who has the token, if a provider vouched for that. */
  async #identityOf({ identityId, within }: TokenRecord): Promise<{ readonly identity?: PersonIdentity }> {
    // A limit names datasets of this organization only.
    if (identityId === undefined || within !== undefined) return {};
    const found = await this.#metadata.identities.find(identityId);
    const { id = '', issuer = '', subject } = found ?? {};
    return subject === undefined ? {} : { identity: { id, issuer, subject } };
  }

  /** When a personal token is suspended: its user has not signed in at a provider for long. */
  async #suspensionTime(token: TokenRecord, user: UserRecord): Promise<number> {
    // Providers end their own sessions. The owner's token is the way in without any provider.
    const { tokensRest } = this.#limits;
    if (tokensRest === undefined || isIdentityToken(token.id) || isOwnerToken(token.id))
      return Number.POSITIVE_INFINITY;
    const last = await this.#metadata.identities.lastSignIn(user.id);
    return last === undefined ? Number.POSITIVE_INFINITY : Date.parse(last) + tokensRest;
  }
}

/** Error for a request without a required token. */
export const anonymous = 'no token was sent; send "Authorization: Bearer <token>"';

/** Reason of a rejected header that names another organization. */
export const otherOrganization = 'the token gives no access to the organization that the header X-Axiom-Org-Id names';

const unknownToken = 'unknown token; it may be mistyped, deleted or from another server';
const noSession = 'session expired; sign in again';

const authenticationError = (reason: string) => httpError('unauthenticated', { reason });

/** The sign-in code in the header `Authorization`, if it has one there instead of a token. */
export function signInCodeIn(authorization = ''): string | undefined {
  const [, text = ''] = /^bearer +(\S+)$/i.exec(authorization.trim()) ?? [];
  return isSignInCode(text) ? text : undefined;
}

function bearerIn(authorization: string | undefined): string {
  if (authorization === undefined || authorization.trim() === '') throw authenticationError(anonymous);
  if (/^bearer$/i.test(authorization.trim()))
    throw authenticationError('empty token; is the environment variable set?');
  const match = /^bearer +(\S+)$/i.exec(authorization.trim());
  if (match === null) throw authenticationError('the Authorization header is not of the form "Bearer <token>"');
  return match[1]!;
}
