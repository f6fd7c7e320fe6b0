import { createRemoteJWKSet, customFetch as keysFetch, jwtVerify } from 'jose';
import * as oidc from 'openid-client';
import type { Clock } from '@millrace/metadata/clock';
import { Singleflight } from '@millrace/runtime/async/singleflight';
import { isLoopback } from '@millrace/http/connections/sender';
import type { Attempt } from './attempt-cookie.js';
import { claimAt, type ProviderIdentity } from './claims.js';
import { providerFetch } from './provider-fetch.js';
import { SignInRefusal } from './refusal.js';
import type { ProviderConfig } from './sign-in-file.js';

/** Algorithms of signatures: those with a public key. */
export const signatureAlgorithms = ['RS256', 'ES256', 'PS256', 'EdDSA', 'RS384', 'RS512', 'ES384', 'ES512'];

/** How long the provider's configuration is used without reading it again. */
const discoveryAge = 3600_000;
/** Minimum time between requests for it, so that failed sign-ins do not flood the provider. */
const discoveryPause = 5000;
/** Maximum age of a logout token. */
const logoutAge = 120;

interface Person extends ProviderIdentity {
  readonly idToken: string;
  readonly providerSession: string | undefined;
}

interface DiscoveryResult {
  readonly configuration: oidc.Configuration;
  readonly keys: ReturnType<typeof createRemoteJWKSet>;
  readonly at: number;
}

/** A sign-in provider: an OpenID Connect issuer with which this server is registered. */
export class Provider {
  readonly config: ProviderConfig;
  readonly #callback: string;
  readonly #clock: Clock;
  readonly #discovery = new Singleflight(() => this.#discover());
  #discoveryResult: DiscoveryResult | undefined;
  #triedAt = Number.NEGATIVE_INFINITY;

  /** @param address of the server, without a slash at the end */
  constructor(config: ProviderConfig, address: string, clock: Clock) {
    this.config = config;
    this.#callback = `${address}/sign-in/${config.id}/callback`;
    this.#clock = clock;
  }

  /**
   * Address at the provider where a sign-in begins.
   * @throws SignInRefusal
   */
  async begin({ state, nonce, verifier }: Omit<Attempt, 'expires' | 'to'>): Promise<URL> {
    const { configuration } = await this.#configuration();
    const { scopes = 'openid profile email', prompt, maxAge } = this.config;
    return oidc.buildAuthorizationUrl(configuration, {
      redirect_uri: this.#callback,
      scope: scopes,
      state,
      nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...(prompt !== undefined && { prompt }),
      ...(maxAge !== undefined && { max_age: String(maxAge) }),
    });
  }

  /**
   * Exchanges the provider's answer for what it says about the person. Checks state, issuer, nonce,
   * audience, times and the signature.
   * @param query of the callback
   * @throws SignInRefusal
   */
  async finish(query: string, { state, nonce, verifier }: Attempt): Promise<Person> {
    const { configuration, at } = await this.#configuration();
    const { maxAge } = this.config;
    try {
      const answer = await oidc.authorizationCodeGrant(configuration, new URL(`${this.#callback}?${query}`), {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
        ...(maxAge !== undefined && { maxAge }),
      });
      const claims = answer.claims()!;
      const { sub: subject, sid } = claims;
      return {
        // Equal to the one of the token, which is checked.
        issuer: this.config.issuer,
        subject,
        claims: { ...(await this.#userInfo(configuration, answer.access_token, subject)), ...claims },
        idToken: answer.id_token!,
        providerSession: typeof sid === 'string' ? sid : undefined,
      };
    } catch (error) {
      // The provider may have new keys or endpoints.
      if (this.#clock() - at >= discoveryPause) this.#discoveryResult = undefined;
      if (error instanceof oidc.AuthorizationResponseError)
        throw new SignInRefusal(
          error.error === 'access_denied' ? 'cancelled' : 'answer',
          `the provider answered ${error.error}`,
          error,
        );
      throw new SignInRefusal('answer', `the provider's answer is not valid: ${reasonOf(error)}`, error);
    }
  }

  /** Address that signs out of the provider, if it has one. */
  async signOutUrl(idToken: string | undefined, back: string): Promise<string | undefined> {
    try {
      const { configuration } = await this.#configuration();
      if (configuration.serverMetadata().end_session_endpoint === undefined) return undefined;
      const parameters = { post_logout_redirect_uri: back, ...(idToken !== undefined && { id_token_hint: idToken }) };
      return oidc.buildEndSessionUrl(configuration, parameters).href;
    } catch {
      return undefined;
    }
  }

  /**
   * Checks a logout token of the provider.
   * @throws SignInRefusal
   */
  async logout(token: string): Promise<{
    readonly subject: string | undefined;
    readonly providerSession: string | undefined;
    readonly tokenId: string;
  }> {
    const { keys } = await this.#configuration();
    const { issuer, clientId: audience, clockTolerance = 30 } = this.config;
    try {
      const { payload } = await jwtVerify(token, keys, {
        issuer,
        audience,
        clockTolerance,
        algorithms: signatureAlgorithms,
        maxTokenAge: logoutAge,
        requiredClaims: ['jti', 'iat', 'events'],
        currentDate: new Date(this.#clock()),
      });
      const event = claimAt({ events: payload.events }, 'events');
      const isLogout =
        typeof event === 'object' && event !== null && 'http://schemas.openid.net/event/backchannel-logout' in event;
      if (!isLogout || payload.nonce !== undefined) throw new Error('it is no logout token');
      const { sub: subject, sid, jti } = payload;
      const providerSession = typeof sid === 'string' ? sid : undefined;
      if (subject === undefined && providerSession === undefined) throw new Error('it names neither user nor session');
      return { subject, providerSession, tokenId: jti! };
    } catch (error) {
      throw new SignInRefusal('answer', `the logout token is not valid: ${reasonOf(error)}`, error);
    }
  }

  /** Claims that the ID token leaves out. */
  async #userInfo(
    configuration: oidc.Configuration,
    accessToken: string,
    subject: string,
  ): Promise<Readonly<Record<string, unknown>>> {
    if (configuration.serverMetadata().userinfo_endpoint === undefined) return {};
    return oidc.fetchUserInfo(configuration, accessToken, subject);
  }

  async #configuration(): Promise<DiscoveryResult> {
    const known = this.#discoveryResult;
    if (known !== undefined && this.#clock() - known.at < discoveryAge) return known;
    try {
      return await this.#discovery.get();
    } catch (error) {
      // An outage of the discovery endpoint alone ends no sign-ins.
      if (known !== undefined) return known;
      throw new SignInRefusal(
        'provider-down',
        `sign-in provider '${this.config.id}' cannot be used: ${reasonOf(error)}`,
        error,
      );
    }
  }

  async #discover(): Promise<DiscoveryResult> {
    const { issuer, clientId, clientSecret, clockTolerance = 30 } = this.config;
    const now = this.#clock();
    // Another sign-in read it while this one waited.
    if (this.#discoveryResult !== undefined && now - this.#discoveryResult.at < discoveryPause)
      return this.#discoveryResult;
    if (now - this.#triedAt < discoveryPause) throw new Error('it failed some seconds ago; try again');
    this.#triedAt = now;
    const address = new URL(issuer);
    const configuration = await oidc.discovery(
      address,
      clientId,
      { [oidc.clockTolerance]: clockTolerance, ...(clientSecret !== undefined && { client_secret: clientSecret }) },
      clientSecret === undefined ? oidc.None() : undefined,
      {
        [oidc.customFetch]: (url, options) => providerFetch(url, options as RequestInit),
        timeout: 10,
        execute: [
          oidc.enableNonRepudiationChecks,
          ...(address.protocol === 'http:' && isLoopback(address.host) ? [oidc.allowInsecureRequests] : []),
        ],
      },
    );
    const keys = createRemoteJWKSet(new URL(configuration.serverMetadata().jwks_uri!), {
      [keysFetch]: (url, options) => providerFetch(url, options),
      timeoutDuration: 10_000,
    });
    this.#discoveryResult = { configuration, keys, at: now };
    this.#triedAt = Number.NEGATIVE_INFINITY;
    return this.#discoveryResult;
  }
}

/** The message of an error and its cause, which contain no codes or tokens. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { cause } = error;
  return cause instanceof Error && cause.message !== error.message
    ? `${error.message}: ${cause.message}`
    : error.message;
}

export const randomNonce = (): string => oidc.randomNonce();
export const randomVerifier = (): string => oidc.randomPKCECodeVerifier();
