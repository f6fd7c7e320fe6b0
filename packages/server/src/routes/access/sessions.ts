import { Type } from 'typebox';
import type { AuthenticatedPrincipal, Principal } from '@millrace/http/access/authorize';
import { anonymous, signInCodeIn } from '@millrace/http/access/authenticate';
import { httpError } from '@millrace/api/errors';
import { empty, json, route, type RequestContext, type Route } from '@millrace/http/route';
import { isLoopback, type Sender } from '@millrace/http/connections/sender';
import { dropCookie, setCookie } from '@millrace/http/session-cookie';
import type { SessionRecord } from '@millrace/metadata/sign-in/sessions';
import { isIdentityToken } from '@millrace/metadata/sign-in/identity-token';
import type { TokenRecord } from '@millrace/metadata/tokens';
import { IdParameter, optional, Page } from '@millrace/api/schemas/parts';
import { Session, SignInCode, StartedSession } from '@millrace/api/schemas/session';
import { type Settings, sessionLimits } from '@millrace/http/settings/settings';
import type { Deps } from '../deps.js';

const tag = 'Sessions';
const text = () => optional(Type.String());
/** Path of the page that takes a code. The part after `#` reaches neither a server nor a log. */
export const signInPath = (code: string): string => `/console/#code=${code}`;

/** Browsers that are signed in to the console. */
export function sessionRoutes({ metadata, settings }: Deps): readonly Route[] {
  const { sessions, tokens } = metadata;
  const limits = sessionLimits(settings);
  const expires = (session: SessionRecord): string => new Date(sessions.expiry(session, limits)).toISOString();
  const startedSession = (session: SessionRecord, tokenName: string) => {
    const { id, created, tokenId } = session;
    return { id, created, expires: expires(session), tokenId, tokenName };
  };
  return [
    route({
      method: 'POST',
      path: '/console/api/session',
      operation: 'createSession',
      tag,
      summary: 'Sign a browser in to the console',
      description:
        'Exchanges a token, or the code of a sign-in link, for an HttpOnly cookie that is valid below `/console/api` only. All other routes ' +
        'also exist there and take the cookie instead of a token: `/console/api/v2/datasets`. Requests there must have the header `X-Millrace-Console: 1` and come from the same origin.',
      need: { scope: 'login' },
      request: { headers: Type.Object({ authorization: text(), 'user-agent': text() }) },
      responses: {
        200: { description: 'Signed in; the header `Set-Cookie` has the session.', schema: StartedSession },
      },
      errors: ['not-from-console', 'plain-http', 'protected-resource'],
      examples: [{ summary: 'Sign in', headers: { 'x-millrace-console': '1', 'sec-fetch-site': 'same-origin' } }],
      signsIn: true,
      handle: async ({ headers: { authorization, 'user-agent': agent = '' }, principal, sender }) => {
        requirePrivacy(sender, settings);
        await requireTokenSignIn(principal, settings, metadata);
        const { tokenId, tokenName } = signedIn(principal);
        const newSession = { tokenId, address: sender.address, agent: agent.slice(0, longestAgent) };
        const { session, secret } = await sessions.begin(newSession, limits, signInCodeIn(authorization));
        return json(startedSession(session, tokenName), 200, setCookie(sender, secret));
      },
    }),
    route({
      method: 'GET',
      path: '/v2/sessions',
      operation: 'listSessions',
      tag,
      summary: 'List sessions',
      description: 'Sessions of your token; for a personal token, of all your tokens; with `users:read`, all sessions.',
      need: { scope: 'login' },
      request: { query: Type.Object(Page) },
      responses: { 200: { description: 'Oldest first.', schema: Type.Array(Session) } },
      examples: [{ summary: 'My sessions' }],
      handle: async ({ query: { limit, offset }, principal, may }) => {
        const everybody = may({ scope: 'org', resource: 'users', action: 'read' });
        const caller = signedIn(principal);
        const own = {
          tokenId: caller.tokenId,
          ...(caller.kind === 'personal-token' && { userId: caller.userId }),
        };
        const listed = await sessions.list(limits, {
          of: everybody ? {} : own,
          ...(limit !== undefined && { limit }),
          ...(offset !== undefined && { offset }),
        });
        const shown = listed.map(({ tokenName, userId, ...session }) => {
          const { address, agent: userAgent, used: lastUsed } = session;
          const current = caller.sessionId === session.id;
          return { ...startedSession(session, tokenName), lastUsed, userId, address, userAgent, current };
        });
        return json(shown);
      },
    }),
    route({
      method: 'DELETE',
      path: '/v2/sessions/{id}',
      operation: 'endSession',
      tag,
      summary: 'Sign a browser out',
      description: 'Your own sessions; `current` is the session of this request. With `users:update`, any session.',
      need: { scope: 'login' },
      request: { params: IdParameter },
      responses: { 204: { description: 'Session ended.' } },
      errors: ['not-found', 'forbidden'],
      examples: [{ summary: 'Sign out', params: { id: 'current' } }],
      handle: async (call) => {
        const id = idMeant(call);
        const token = await tokens.find((await sessions.get(id)).tokenId);
        if (token !== undefined && !isOwn(token, call.principal))
          call.require({ scope: 'org', resource: 'users', action: 'update' });
        await sessions.end(id);
        return empty(204, id === signedIn(call.principal).sessionId ? dropCookie(call.sender) : {});
      },
    }),
    route({
      method: 'POST',
      path: '/v2/sign-in-codes',
      operation: 'createSignInCode',
      tag,
      summary: 'Create a sign-in link',
      description: 'The link has the rights of your token. It works once, within ten minutes.',
      need: { scope: 'login' },
      request: {},
      responses: { 200: { description: 'The code, which is not shown again.', schema: SignInCode } },
      examples: [{ summary: 'Another browser' }],
      errors: ['protected-resource'],
      handle: async ({ principal }) => {
        // A session of the link would outlast the session at the provider.
        if (isIdentityToken(signedIn(principal).tokenId))
          throw httpError('protected-resource', { reason: 'sign in with the provider in the other browser' });
        const { code, expires } = await sessions.createCode(signedIn(principal).tokenId, limits);
        return json({ code, expires, path: signInPath(code) });
      },
    }),
  ];
}

/** Maximum length of a user agent; those of browsers are shorter. */
const longestAgent = 500;

function signedIn(principal: Principal): AuthenticatedPrincipal {
  if (principal.kind === 'anonymous') throw httpError('unauthenticated', { reason: anonymous });
  return principal;
}

const isOwn = (token: TokenRecord, principal: Principal): boolean =>
  principal.kind !== 'anonymous' &&
  (token.id === principal.tokenId || (principal.kind === 'personal-token' && token.userId === principal.userId));

/** @throws HttpError `not-found` for `current` if the caller has no session */
function idMeant({
  params: { id },
  principal,
}: Pick<RequestContext<{ params: typeof IdParameter }>, 'params' | 'principal'>): string {
  if (id !== 'current') return id;
  const { sessionId } = signedIn(principal);
  if (sessionId === undefined) throw httpError('not-found', { kind: 'session', name: id });
  return sessionId;
}

/**
 * Rejects tokens of others if only owners may sign in with one.
 * @throws HttpError `protected-resource`
 */
async function requireTokenSignIn(principal: Principal, { signInTokens }: Settings, { users }: Deps['metadata']) {
  if (signInTokens === 'all') return;
  const caller = signedIn(principal);
  const user = caller.kind === 'personal-token' ? await users.find(caller.userId) : undefined;
  if (user?.role !== 'owner')
    throw httpError('protected-resource', { reason: 'only owners sign in with a token here; use a sign-in provider' });
}

/**
 * Rejects sign-in over unencrypted connections from other hosts.
 * @throws HttpError `plain-http`
 */
export function requirePrivacy({ host, https }: Sender, { consolePlainHttp }: Settings): void {
  if (!https && !isLoopback(host) && !consolePlainHttp) throw httpError('plain-http', {});
}
