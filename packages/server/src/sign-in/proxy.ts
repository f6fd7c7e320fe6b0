import { BlockList, isIPv6 } from 'node:net';
import { createRemoteJWKSet, customFetch, jwtVerify } from 'jose';
import type { Clock } from '@millrace/metadata/clock';
import type { ProviderIdentity } from './claims.js';
import { signatureAlgorithms } from './provider.js';
import { providerFetch } from './provider-fetch.js';
import { SignInRefusal } from './refusal.js';
import type { ProxyConfig } from './sign-in-file.js';

/** What a request brings: the peer of the connection, and every header with all its values. */
interface ProxiedRequest {
  readonly peer: string;
  readonly headers: Readonly<Record<string, readonly string[] | undefined>>;
}

/**
 * A proxy in front of the server that signs people in. Its headers count only on connections from
 * its own addresses, and a signed one is also checked.
 */
export class SignInProxy {
  readonly config: ProxyConfig;
  readonly #addresses = new BlockList();
  readonly #clock: Clock;
  readonly #keys: ReturnType<typeof createRemoteJWKSet> | undefined;

  constructor(config: ProxyConfig, clock: Clock) {
    this.config = config;
    this.#clock = clock;
    for (const network of config.addresses) {
      const [address = '', bits] = network.split('/');
      const family = isIPv6(address) ? 'ipv6' : 'ipv4';
      if (bits === undefined) this.#addresses.addAddress(address, family);
      else this.#addresses.addSubnet(address, Number(bits), family);
    }
    if (config.jwt !== undefined)
      this.#keys = createRemoteJWKSet(new URL(config.jwt.keys), {
        [customFetch]: (url, options) => providerFetch(url, options),
        timeoutDuration: 10_000,
      });
  }

  /** Issuer of its identities. */
  get issuer(): string {
    return this.config.jwt?.issuer ?? `https://proxy.invalid/${this.config.id}`;
  }

  /** Whether a connection comes from the proxy. */
  trusts(peer: string): boolean {
    const address = peer.replace(/^::ffff:(?=\d+\.)/i, '');
    return this.#addresses.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
  }

  /**
   * The person that the proxy signed in.
   * @throws SignInRefusal
   */
  async person({ peer, headers }: ProxiedRequest): Promise<ProviderIdentity> {
    const { id, jwt, headers: named } = this.config;
    if (!this.trusts(peer)) throw new SignInRefusal('answer', `'${peer}' is no address of the proxy '${id}'`);
    if (jwt !== undefined) return this.#verifyToken(single(headers, jwt.header), jwt);
    const subject = singleValue(single(headers, named!.user), named!.user);
    const optional = (name: string | undefined): string | undefined =>
      name === undefined || headers[name.toLowerCase()] === undefined ? undefined : single(headers, name);
    const email = optional(named!.email);
    const name = optional(named!.name);
    const groups = optional(named!.groups);
    return {
      issuer: this.issuer,
      subject,
      claims: {
        ...(email !== undefined && { email: singleValue(email, named!.email!) }),
        ...(name !== undefined && { name }),
        ...(groups !== undefined && {
          [this.config.groupsClaim ?? 'groups']: groups.split(',').map((group) => group.trim()),
        }),
      },
    };
  }

  async #verifyToken(token: string, { issuer, audience }: NonNullable<ProxyConfig['jwt']>): Promise<ProviderIdentity> {
    try {
      const { payload } = await jwtVerify(token, this.#keys!, {
        issuer,
        audience,
        algorithms: signatureAlgorithms,
        clockTolerance: 30,
        requiredClaims: ['exp', 'sub'],
        currentDate: new Date(this.#clock()),
      });
      return { issuer, subject: payload.sub!, claims: payload };
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'unknown';
      throw new SignInRefusal(
        'answer',
        `the assertion of the proxy '${this.config.id}' is not valid: ${reason}`,
        error,
      );
    }
  }
}

/**
 * The only value of a header. A second one, or one whose name has underscores instead of hyphens,
 * could be the client's.
 */
function single(headers: ProxiedRequest['headers'], name: string): string {
  const plain = (text: string): string => text.toLowerCase().replaceAll('_', '-');
  const found = Object.entries(headers).filter(([other]) => plain(other) === plain(name));
  const [value, ...others] = found.flatMap(([, values]) => values ?? []);
  if (value === undefined || value === '' || others.length > 0 || found[0]![0] !== name.toLowerCase())
    throw new SignInRefusal('answer', `the header ${name} must be there once`);
  return value;
}

/** A value that is not several ones that something in between joined. */
function singleValue(value: string, name: string): string {
  if (value.includes(',')) throw new SignInRefusal('answer', `the header ${name} has several values`);
  return value;
}
