import { createRemoteJWKSet, customFetch, decodeJwt, type JWTPayload, jwtVerify } from 'jose';
import { noCapabilities } from '@millrace/api/schemas/capabilities';
import { httpError } from '@millrace/api/errors';
import type { Clock } from '@millrace/metadata/clock';
import type { Metadata } from '@millrace/metadata/metadata';
import { textsAt } from './claims.js';
import { signatureAlgorithms } from './provider.js';
import { providerFetch } from './provider-fetch.js';
import type { WorkloadRule } from './sign-in-file.js';

type Keys = ReturnType<typeof createRemoteJWKSet>;
interface WorkloadDeps {
  readonly metadata: Metadata;
  readonly clock: Clock;
}

interface ExchangedToken {
  readonly token: string;
  readonly expires: string;
  readonly rule: string;
  readonly tokenId: string;
  readonly userId: string;
}

/** Longest a used token has to be remembered, in milliseconds. */
const longestToken = 24 * 3600_000;
const keysAge = 3600_000;

/**
 * Exchanges tokens that workloads have from their platform, such as GitHub Actions or Kubernetes,
 * for short-lived tokens of this server, by rules of the operator.
 */
export class Workloads {
  readonly #rules: readonly WorkloadRule[];
  readonly #deps: WorkloadDeps;
  readonly #keys = new Map<string, { readonly keys: Keys; readonly until: number }>();

  constructor(rules: readonly WorkloadRule[], deps: WorkloadDeps) {
    this.#rules = rules;
    this.#deps = deps;
  }

  /**
   * @param token JWT of the platform
   * @throws HttpError `unauthenticated`
   */
  async exchange(token: string): Promise<ExchangedToken> {
    const { metadata, clock } = this.#deps;
    const issuer = issuerOf(token);
    const rules = this.#rules.filter((rule) => rule.issuer === issuer);
    // Never fetches from an issuer that no rule names.
    if (rules.length === 0) throw refusalError('no rule has the issuer of the token');
    const { rule, payload } = await this.#match(token, rules);
    const lives = payload.exp! * 1000 + 60_000;
    if (lives - clock() > longestToken) throw refusalError('the token lives longer than a day');
    // Without an ID the whole token stands for itself.
    const isFirst = await metadata.singleUse.use(`workload ${issuer} ${payload.jti ?? token}`, lives);
    if (!isFirst) throw refusalError('the token has been exchanged before; get a new one from the platform');
    return this.#issue(rule);
  }

  /** The first rule that a token fulfils. */
  async #match(
    token: string,
    rules: readonly WorkloadRule[],
  ): Promise<{ readonly rule: WorkloadRule; readonly payload: JWTPayload }> {
    const reasons: string[] = [];
    for (const rule of rules) {
      try {
        const { payload } = await jwtVerify(token, await this.#keysOf(rule), {
          issuer: rule.issuer,
          audience: rule.audience,
          algorithms: signatureAlgorithms,
          clockTolerance: 30,
          requiredClaims: ['exp', 'sub'],
          currentDate: new Date(this.#deps.clock()),
        });
        const lacking = Object.entries(rule.match).find(([claim, value]) => !matches(textsAt(payload, claim), value));
        if (lacking === undefined) return { rule, payload };
        reasons.push(`rule '${rule.name}' requires another ${lacking[0]}`);
      } catch (error) {
        reasons.push(`rule '${rule.name}': ${error instanceof Error ? error.message : 'unknown'}`);
      }
    }
    throw refusalError(reasons.slice(0, 5).join('; '));
  }

  async #issue({ name, capabilities, seconds = 900 }: WorkloadRule): Promise<ExchangedToken> {
    const { metadata, clock } = this.#deps;
    const { id: userId } = await metadata.users.owner();
    const label = `workload:${name}`;
    await metadata.tokens.deleteExpired(label);
    const expires = new Date(clock() + seconds * 1000).toISOString();
    const issued = await metadata.tokens.create({
      kind: 'api',
      name: label,
      userId,
      capabilities: { ...noCapabilities, ...capabilities },
      expires,
    });
    return { token: issued.secret, expires, rule: name, tokenId: issued.token.id, userId };
  }

  async #keysOf({ issuer, keys: address }: WorkloadRule): Promise<Keys> {
    const name = address ?? issuer;
    const known = this.#keys.get(name);
    if (known !== undefined && known.until > this.#deps.clock()) return known.keys;
    const keys = createRemoteJWKSet(new URL(address ?? (await keysAddress(issuer))), {
      [customFetch]: (url, options) => providerFetch(url, options),
      timeoutDuration: 10_000,
    });
    this.#keys.set(name, { keys, until: this.#deps.clock() + keysAge });
    return keys;
  }
}

/** A pattern is the text itself; a `*` at its end stands for any further characters. */
function matches(values: readonly string[], pattern: string): boolean {
  return values.some((value) => (pattern.endsWith('*') ? value.startsWith(pattern.slice(0, -1)) : value === pattern));
}

async function keysAddress(issuer: string): Promise<string> {
  const response = await providerFetch(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
  const found = (await response.json()) as { readonly issuer?: unknown; readonly jwks_uri?: unknown };
  if (response.status !== 200 || found.issuer !== issuer || typeof found.jwks_uri !== 'string')
    throw new Error('the issuer does not say where its keys are');
  return found.jwks_uri;
}

function issuerOf(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch {
    throw refusalError('the token is no JWT');
  }
}

const refusalError = (reason: string) => httpError('unauthenticated', { reason });
