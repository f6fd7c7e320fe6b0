import type { Logger } from 'pino';
import { consoleBase } from '@millrace/http/console-address';
import type { AuthenticatedPrincipal } from '@millrace/http/access/authorize';
import type { Sender } from '@millrace/http/connections/sender';
import type { Admission } from '@millrace/http/route';
import { type Settings, sessionLimits } from '@millrace/http/settings/settings';
import type { Clock } from '@millrace/metadata/clock';
import { identityOfToken, identityTokenId } from '@millrace/metadata/sign-in/identity-token';
import type { SessionRecord } from '@millrace/metadata/sign-in/sessions';
import type { Metadata } from '@millrace/metadata/metadata';
import type { EveryOrg } from '../orgs/people.js';
import { type AdmittedTo, admitEverywhere } from './admit-everywhere.js';
import type { ProviderIdentity } from './claims.js';
import { Provider } from './provider.js';
import { SignInProxy } from './proxy.js';
import type { ClaimMapping, OrgMappings, SignInConfig } from './sign-in-file.js';
import { Workloads } from './workloads.js';

interface SignInDeps {
  readonly settings: Settings;
  /** Of the first organization. */
  readonly metadata: Metadata;
  readonly clock: Clock;
  readonly every: EveryOrg;
}

/** A browser in which a session begins. */
interface Browser {
  readonly sender: Sender;
  readonly agent: string;
  readonly log: Pick<Logger, 'warn'>;
}

interface StartedSession {
  readonly principal: AuthenticatedPrincipal;
  /** Organizations that admitted the person, first the one of the session. */
  readonly admissions: readonly Admission[];
  readonly secret: string;
  readonly session: SessionRecord;
  /** Milliseconds since the epoch. */
  readonly expires: number;
}

interface SignInIdentity extends ProviderIdentity {
  readonly idToken?: string;
  readonly providerSession?: string | undefined;
}

/** Maximum length of a user agent; those of browsers are shorter. */
const longestAgent = 500;

/** Sign-in with providers and proxies, and tokens for workloads. */
export class SignIn {
  readonly providers: ReadonlyMap<string, Provider>;
  readonly proxies: readonly SignInProxy[];
  readonly workloads: Workloads;
  /** Address of the console, without a slash at the end. */
  readonly base: string;
  readonly #deps: SignInDeps;

  constructor({ providers, proxies, workloads }: SignInConfig, deps: SignInDeps) {
    this.base = consoleBase(deps.settings.consoleUrl ?? 'http://localhost');
    this.#deps = deps;
    this.providers = new Map(
      providers.map(
        (config) => [config.id, new Provider(config, this.base.replace(/\/console$/, ''), deps.clock)] as const,
      ),
    );
    this.proxies = proxies.map((config) => new SignInProxy(config, deps.clock));
    this.workloads = new Workloads(workloads, deps);
  }

  /** Whether the cookies of sign-ins are for HTTPS. */
  get secure(): boolean {
    return this.base.startsWith('https:');
  }

  /** Issuer of the identities of a provider or proxy. */
  issuerOf(id: string): string | undefined {
    const proxy = this.proxies.find(({ config }) => config.id === id);
    return this.providers.get(id)?.config.issuer ?? proxy?.issuer;
  }

  /**
   * Admits a person and begins a session.
   * @throws SignInRefusal
   */
  async begin(
    source: ClaimMapping & { readonly id: string; readonly organizations?: OrgMappings },
    person: SignInIdentity,
    { sender, agent, log }: Browser,
  ): Promise<StartedSession> {
    const { every, settings, clock } = this.#deps;
    const admitted = await admitEverywhere(every, source, person, log);
    const { metadata, identity } = admitted[0];
    const tokenId = identityTokenId(identity.id);
    const newSession = { tokenId, address: sender.address, agent: agent.slice(0, longestAgent) };
    const { session, secret } = await metadata.sessions.begin(newSession, sessionLimits(settings), undefined, {
      expires: clock() + settings.ssoSessionLongest,
      providerSession: person.providerSession,
      idToken: person.idToken,
    });
    const principal = { ...principalIn(admitted[0]), sessionId: session.id };
    const others = admitted.slice(1).map((each) => ({ org: each.id, principal: principalIn(each) }));
    const admissions = [{ org: admitted[0].id, principal }, ...others];
    return {
      principal,
      admissions,
      secret,
      session,
      expires: metadata.sessions.expiry(session, sessionLimits(settings)),
    };
  }

  /**
   * Ends the sessions that a provider names, in each organization.
   * @param subject all sessions of this person; without it, all of the provider's session
   */
  async end(issuer: string, subject: string | undefined, providerSession: string | undefined): Promise<void> {
    for (const { metadata } of await this.#deps.every.all()) {
      const { sessions, identities } = metadata;
      const tokens =
        subject === undefined
          ? await sessions.tokensOfProviderSession(providerSession!)
          : [await identities.findBySubject(issuer, subject)].flatMap((found) =>
              found === undefined ? [] : [identityTokenId(found.id)],
            );
      // Another provider may use the same ID for a session.
      for (const token of tokens)
        if ((await identities.find(identityOfToken(token)))?.issuer === issuer)
          await sessions.endOfToken(token, providerSession);
    }
  }
}

const principalIn = ({ identity, user }: AdmittedTo): AuthenticatedPrincipal => ({
  kind: 'personal-token',
  tokenId: identityTokenId(identity.id),
  tokenName: `Sign-in with ${identity.provider}`,
  userId: user.id,
  capabilities: [],
});
