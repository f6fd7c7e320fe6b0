import { Type } from 'typebox';
import type { AuthenticatedPrincipal, Principal } from '../../access/allowed.js';
import { noToken, signInCodeIn } from '../../access/authenticate.js';
import { httpError } from '../../errors.js';
import { empty, json, route, type Call, type Route } from '../../http/route.js';
import { isLoopback, type Sender } from '../../http/connections/sender.js';
import { dropCookie, setCookie } from '../../http/session-cookie.js';
import type { SessionRecord } from '../../metadata/sessions.js';
import type { TokenRecord } from '../../metadata/tokens.js';
import { IdParameter, optional } from '../../schemas/parts.js';
import { Session, SignInCode, StartedSession } from '../../schemas/session.js';
import { type Settings, sessionLimits } from '../../settings/settings.js';
import type { Deps } from '../deps.js';

const tag = 'Sessions';
const text = () => optional(Type.String());
/** As in the URL of the page that takes it; behind `#` it reaches neither a server nor a log. */
export const signInPath = (code: string): string => `/console/#code=${code}`;

/** Browsers that are signed in to the console. */
export function sessionRoutes({ metadata, settings }: Deps): readonly Route[] {
  const { sessions, tokens } = metadata;
  const limits = sessionLimits(settings);
  const expires = (session: SessionRecord): string => new Date(sessions.expiry(session, limits)).toISOString();
  const started = (session: SessionRecord, tokenName: string) => {
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
        'Exchanges a token, or the code of a sign-in link, for a cookie that pages cannot read and that counts below `/console/api` only. Everything else of this page ' +
        'is there once more, and takes the cookie instead of a token: `/console/api/v2/datasets`. Requests there have to carry `X-Millrace-Console: 1` and come from the same origin.',
      need: { scope: 'login' },
      request: { headers: Type.Object({ authorization: text(), 'user-agent': text() }) },
      responses: {
        200: { description: 'Signed in; the header `Set-Cookie` has the session.', schema: StartedSession },
      },
      errors: ['not-from-console', 'plain-http'],
      examples: [{ summary: 'Sign in', headers: { 'x-millrace-console': '1', 'sec-fetch-site': 'same-origin' } }],
      signsIn: true,
      handle: async ({ headers: { authorization, 'user-agent': agent = '' }, principal, sender }) => {
        requirePrivacy(sender, settings);
        const { tokenId, tokenName } = signedIn(principal);
        const begun = { tokenId, address: sender.address, agent: agent.slice(0, longestAgent) };
        const { session, secret } = await sessions.begin(begun, limits, signInCodeIn(authorization));
        return json(started(session, tokenName), 200, setCookie(sender, secret));
      },
    }),
    route({
      method: 'GET',
      path: '/v2/sessions',
      operation: 'listSessions',
      tag,
      summary: 'List the browsers that are signed in',
      description:
        'Those that began with your token; for a personal token those of all your tokens; with `users:read` everybody’s.',
      need: { scope: 'login' },
      request: {},
      responses: { 200: { description: 'Oldest first.', schema: Type.Array(Session) } },
      examples: [{ summary: 'My sessions' }],
      handle: async ({ principal, may }) => {
        const everybody = may({ scope: 'org', resource: 'users', action: 'read' });
        const known = new Map(
          [...(await tokens.list('personal')), ...(await tokens.list('api'))].map((token) => [token.id, token]),
        );
        const shown = (await sessions.list(limits)).flatMap((session) => {
          const token = known.get(session.tokenId);
          if (token === undefined || !(everybody || isOwn(token, principal))) return [];
          const { address, agent: userAgent, used: lastUsed } = session;
          const current = signedIn(principal).sessionId === session.id;
          return [{ ...started(session, token.name), lastUsed, userId: token.userId, address, userAgent, current }];
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
      description: 'One of your own, where `current` is the one that asks; with `users:update` anybody’s.',
      need: { scope: 'login' },
      request: { params: IdParameter },
      responses: { 204: { description: 'Its cookie no longer counts.' } },
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
      summary: 'Make a link that signs a browser in',
      description: 'With the rights of the token that asks. It works once, within ten minutes.',
      need: { scope: 'login' },
      request: {},
      responses: { 200: { description: 'The code, which is never shown again.', schema: SignInCode } },
      examples: [{ summary: 'Another browser' }],
      handle: async ({ principal }) => {
        const { code, expires } = await sessions.createCode(signedIn(principal).tokenId);
        return json({ code, expires, path: signInPath(code) });
      },
    }),
  ];
}

/** As long as those of browsers, which end in everything they claim to be like. */
const longestAgent = 500;

function signedIn(principal: Principal): AuthenticatedPrincipal {
  if (principal.kind === 'anonymous') throw httpError('unauthenticated', { reason: noToken });
  return principal;
}

const isOwn = (token: TokenRecord, principal: Principal): boolean =>
  principal.kind !== 'anonymous' &&
  (token.id === principal.tokenId || (principal.kind === 'personal-token' && token.userId === principal.userId));

/** @throws HttpError `not-found` for the session of somebody who has none */
function idMeant({
  params: { id },
  principal,
}: Pick<Call<{ params: typeof IdParameter }>, 'params' | 'principal'>): string {
  if (id !== 'current') return id;
  const { sessionId } = signedIn(principal);
  if (sessionId === undefined) throw httpError('not-found', { kind: 'session', name: id });
  return sessionId;
}

/**
 * Nothing is read along the way on this machine and over HTTPS.
 * @throws HttpError `plain-http`
 */
function requirePrivacy({ host, https }: Sender, { consolePlainHttp }: Settings): void {
  if (!https && !isLoopback(host) && !consolePlainHttp) throw httpError('plain-http', {});
}
