import { Type } from 'typebox';
import { httpError, type HttpError } from '@millrace/api/errors';
import { SignedOut, SignInMethods } from '@millrace/api/schemas/sign-in';
import { StartedSession } from '@millrace/api/schemas/session';
import { optional } from '@millrace/api/schemas/parts';
import { bytes, empty, json, route, type RequestContext, type Route, type RouteResponse } from '@millrace/http/route';
import { dropCookie, setCookie } from '@millrace/http/session-cookie';
import { identityOfToken, isIdentityToken } from '@millrace/metadata/sign-in/identity-token';
import {
  type Attempt,
  attemptCookie,
  attemptIn,
  attemptMilliseconds,
  freeSlot,
  newState,
} from '../../sign-in/attempt-cookie.js';
import { randomNonce, randomVerifier } from '../../sign-in/provider.js';
import type { Provider } from '../../sign-in/provider.js';
import { SignInRefusal } from '../../sign-in/refusal.js';
import { returnPage } from '../../sign-in/return-page.js';
import type { Deps } from '../deps.js';
import { requirePrivacy } from './sessions.js';

const tag = 'Sign-in';
const text = () => optional(Type.String());
const Id = Type.Object({ id: Type.String({ description: 'ID of the provider.' }) });
const page = { tag, need: { scope: 'public' }, page: true } as const;
const elsewhere = { 303: { description: 'Redirect to the provider, or to the console with the reason of a failure.' } };

/** Sign-in with OpenID Connect providers and with a proxy in front of the server. */
export function providerSignInRoutes(deps: Deps): readonly Route[] {
  if (!deps.settings.console) return [];
  return [
    methodsRoute(deps),
    startRoute(deps),
    callbackRoute(deps),
    logoutRoute(deps),
    signOutRoute(deps),
    proxyRoute(deps),
  ];
}

const methodsRoute = ({ settings, signIn }: Deps): Route =>
  route({
    method: 'GET',
    path: '/v2/sign-in-methods',
    operation: 'listSignInMethods',
    tag,
    summary: 'List the sign-in methods of the console',
    need: { scope: 'public' },
    request: {},
    responses: { 200: { description: 'Providers, proxies, and whether tokens sign in.', schema: SignInMethods } },
    examples: [{ summary: 'What the sign-in page shows' }],
    handle: ({ connection }) => {
      const proxy = signIn.proxies.find((each) => each.trusts(connection.peer));
      return json({
        tokens: settings.signInTokens,
        providers: [...signIn.providers.values()].map(({ config: { id, name, autoStart = false } }) => ({
          id,
          name,
          path: `/sign-in/${id}`,
          autoStart,
        })),
        ...(proxy !== undefined && { proxy: proxy.config.name }),
      });
    },
  });

const startRoute = ({ metadata, signIn, clock }: Deps): Route =>
  route({
    ...page,
    method: 'GET',
    path: '/sign-in/{id}',
    operation: 'startSignIn',
    summary: 'Start a sign-in with a provider',
    request: { params: Id, query: Type.Object({ to: text() }), headers: Type.Object({ cookie: text() }) },
    responses: elsewhere,
    examples: [{ summary: 'A button of the sign-in page', params: { id: 'okta' } }],
    refusesHead: true,
    handle: async (call) => {
      const { secure, base } = signIn;
      const state = newState(freeSlot(call.headers.cookie, secure));
      const attempt: Attempt = {
        provider: call.params.id,
        state,
        nonce: randomNonce(),
        verifier: randomVerifier(),
        to: returnPage(call.query.to),
        expires: clock() + attemptMilliseconds,
      };
      return orProblem(call, base, async () => {
        const location = await knownProvider(signIn.providers, call.params.id).begin(attempt);
        const key = await metadata.serverKeys.get('sign-in attempts');
        const cookie = attemptCookie(attempt, key, { secure, prefix: call.sender.prefix });
        return empty(303, { location: location.href, 'set-cookie': cookie });
      });
    },
  });

const Callback = Type.Object({
  state: text(),
  code: text(),
  iss: text(),
  session_state: text(),
  error: text(),
  error_description: text(),
});

const callbackRoute = ({ metadata, settings, signIn, clock }: Deps): Route =>
  route({
    ...page,
    method: 'GET',
    path: '/sign-in/{id}/callback',
    operation: 'finishSignIn',
    summary: 'Finish a sign-in with a provider',
    request: {
      params: Id,
      query: Callback,
      headers: Type.Object({ cookie: text(), 'user-agent': text() }),
    },
    responses: elsewhere,
    examples: [{ summary: 'The provider’s answer', params: { id: 'okta' }, query: { state: '0abc', code: 'xyz' } }],
    audited: true,
    refusesHead: true,
    handle: (call) =>
      orProblem(call, signIn.base, async () => {
        const provider = knownProvider(signIn.providers, call.params.id);
        if (!isPrivate(call, settings)) throw new SignInRefusal('plain-http', 'the connection is not encrypted');
        const { cookie, 'user-agent': agent = '' } = call.headers;
        const { state = '' } = call.query;
        const key = await metadata.serverKeys.get('sign-in attempts');
        const attempt = attemptIn(cookie, state, { key, secure: signIn.secure, now: clock() });
        if (attempt === undefined || attempt.provider !== provider.config.id)
          throw new SignInRefusal('attempt', 'this browser did not begin the sign-in, or more than ten minutes ago');
        if (!(await metadata.singleUse.use(`sign-in ${state}`, attempt.expires)))
          throw new SignInRefusal('attempt', 'the answer of the provider has been used');
        const given = Object.entries(call.query).filter((pair) => typeof pair[1] === 'string') as [string, string][];
        const person = await provider.finish(new URLSearchParams(given).toString(), attempt);
        const { idToken: _, ...rest } = person;
        const kept = provider.config.logout === 'provider' ? person : rest;
        const { principal, admissions, secret } = await signIn.begin(provider.config, kept, {
          sender: call.sender,
          log: call.log,
          agent,
        });
        call.identified(principal, `subject ${person.subject} of ${provider.config.id}`, admissions);
        const location = `${signIn.base}${attempt.to.slice('/console'.length)}`;
        return empty(303, { location, ...setCookie(call.sender, secret) });
      }),
  });

const logoutRoute = ({ metadata, signIn, clock }: Deps): Route =>
  route({
    ...page,
    method: 'POST',
    path: '/sign-in/{id}/logout',
    operation: 'endProviderSession',
    summary: 'End sessions when the provider says so',
    description: 'Back-channel logout: the provider sends a form with a `logout_token`.',
    request: { params: Id, body: 'bytes' },
    responses: { 200: { description: 'The sessions ended.', mediaTypes: ['text/plain'] } },
    errors: ['not-found', 'invalid-request'],
    examples: [{ summary: 'From the provider', params: { id: 'okta' }, body: 'logout_token=eyJ…' }],
    bodyTypes: ['application/x-www-form-urlencoded'],
    maxBodyBytes: 64 * 1024,
    handle: async (call) => {
      const provider = signIn.providers.get(call.params.id);
      if (provider === undefined) throw httpError('not-found', { kind: 'sign-in provider', name: call.params.id });
      const { issuer } = provider.config;
      const refusalError = (problem: string) => httpError('invalid-request', { problem });
      const { subject, providerSession, tokenId } = await provider
        .logout(new URLSearchParams(call.text()).get('logout_token') ?? '')
        .catch((error: unknown) => {
          throw error instanceof SignInRefusal ? refusalError(error.message) : error;
        });
      if (!(await metadata.singleUse.use(`logout ${issuer} ${tokenId}`, clock() + 10 * 60_000)))
        throw refusalError('the logout token has been used');
      await signIn.end(issuer, subject, providerSession);
      call.identified(call.principal, `subject ${subject ?? '(by session)'} of ${provider.config.id}`);
      return bytes('', 'text/plain; charset=utf-8');
    },
  });

const signOutRoute = ({ metadata, signIn }: Deps): Route =>
  route({
    method: 'POST',
    path: '/v2/sessions/current/sign-out',
    operation: 'signOut',
    tag,
    summary: 'Sign this browser out',
    description:
      'Ends the session. The response has a page to open if the browser is to sign out of the provider, too.',
    need: { scope: 'login' },
    request: {},
    responses: { 200: { description: 'Signed out.', schema: SignedOut } },
    errors: ['not-found'],
    examples: [{ summary: 'Sign out' }],
    handle: async ({ principal, sender }) => {
      const session = principal.kind === 'anonymous' ? undefined : principal.sessionId;
      if (principal.kind === 'anonymous' || session === undefined)
        throw httpError('not-found', { kind: 'session', name: 'current' });
      const { sessions, identities } = metadata;
      const identity = isIdentityToken(principal.tokenId)
        ? await identities.find(identityOfToken(principal.tokenId))
        : undefined;
      const idToken = await sessions.idTokenOf(session);
      await sessions.end(session);
      const provider = identity === undefined ? undefined : signIn.providers.get(identity.provider);
      const url =
        provider?.config.logout === 'provider' ? await provider.signOutUrl(idToken, `${signIn.base}/`) : undefined;
      return json(url === undefined ? {} : { url }, 200, dropCookie(sender));
    },
  });

const proxyRoute = ({ settings, signIn }: Deps): Route =>
  route({
    method: 'POST',
    path: '/console/api/session/proxy',
    operation: 'createProxySession',
    tag,
    summary: 'Sign in as the user of a proxy',
    description: 'Only on connections from the addresses of a proxy in the sign-in file.',
    need: { scope: 'public' },
    request: { headers: Type.Object({ 'user-agent': text() }) },
    responses: { 200: { description: 'Signed in; the header `Set-Cookie` has the session.', schema: StartedSession } },
    errors: ['not-from-console', 'plain-http', 'unauthenticated'],
    examples: [{ summary: 'Sign in', headers: { 'x-millrace-console': '1', 'sec-fetch-site': 'same-origin' } }],
    handle: async (call) => {
      requirePrivacy(call.sender, settings);
      const proxy = signIn.proxies.find((each) => each.trusts(call.connection.peer));
      if (proxy === undefined) throw httpError('unauthenticated', { reason: 'no sign-in proxy has this address' });
      try {
        const person = await proxy.person(call.connection);
        const agent = call.headers['user-agent'] ?? '';
        const { principal, admissions, secret, session, expires } = await signIn.begin(proxy.config, person, {
          sender: call.sender,
          log: call.log,
          agent,
        });
        call.identified(principal, `subject ${person.subject} of ${proxy.config.id}`, admissions);
        const { id, created, tokenId } = session;
        const ends = new Date(expires).toISOString();
        const view = { id, created, expires: ends, tokenId, tokenName: principal.tokenName };
        return json(view, 200, setCookie(call.sender, secret));
      } catch (error) {
        throw error instanceof SignInRefusal ? httpError('unauthenticated', { reason: error.message }) : error;
      }
    },
  });

function knownProvider(providers: ReadonlyMap<string, Provider>, id: string): Provider {
  const provider = providers.get(id);
  if (provider === undefined) throw new SignInRefusal('unknown-provider', `there is no sign-in provider '${id}'`);
  return provider;
}

function isPrivate({ sender }: Pick<RequestContext, 'sender'>, settings: Deps['settings']): boolean {
  try {
    requirePrivacy(sender, settings);
    return true;
  } catch {
    return false;
  }
}

/** Sends the browser to the console with the reason of a failure, which is also audited. */
async function orProblem(
  call: Pick<RequestContext, 'partFailed' | 'traceId' | 'log'>,
  base: string,
  work: () => Promise<RouteResponse>,
): Promise<RouteResponse> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SignInRefusal)) throw error;
    const refused: HttpError = httpError('unauthenticated', { reason: error.message });
    call.partFailed(refused);
    call.log.warn({ problem: error.problem, reason: refused.message }, 'a sign-in failed');
    // After `#`, it reaches no server.
    return empty(303, { location: `${base}/#sign-in=${error.problem}.${call.traceId}` });
  }
}
