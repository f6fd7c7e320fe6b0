import type { FastifyRequest } from 'fastify';
import { httpError } from '@millrace/api/errors';
import { otherOrganization } from './access/authenticate.js';
import type { Principal } from './access/authorize.js';
import { authorizationOf } from './access/token-locations.js';
import { senderOf } from './connections/sender.js';
import { isMounted } from './console-mount.js';
import type { Route } from './route.js';
import type { Gate, Tenant } from './serve.js';
import { sessionIn } from './session-cookie.js';

/** Names and parameters of a path, as the router found them. */
type Parameters = Readonly<Record<string, string>>;

/**
 * The principal of a request.
 * @param home the organization of the token or session, if it is another one
 * @throws HttpError `unauthenticated`
 */
export async function principalOf(
  gate: Gate,
  route: Route,
  request: FastifyRequest,
  home?: Tenant,
): Promise<Principal> {
  return home === undefined ? holderOf(gate, route, request) : memberOf(gate, home, route, request);
}

/**
 * The principal of a person in another organization than that of the token or session.
 * @throws HttpError `unauthenticated`
 */
export async function memberOf(gate: Gate, home: Tenant, route: Route, request: FastifyRequest): Promise<Principal> {
  const { identity } = await holderOf(home.gate, route, request);
  if (identity === undefined) throw httpError('unauthenticated', { reason: otherOrganization });
  return gate.authenticator.member(identity);
}

function holderOf(gate: Gate, route: Route, request: FastifyRequest) {
  const { authenticator } = gate;
  const { authorization, cookie } = request.headers;
  if (route.signsIn === true) return authenticator.signIn(authorization);
  if (isMounted(request)) return authenticator.session(sessionIn(cookie, senderOf(request, gate)) ?? '');
  return authenticator.authenticate(presentedToken(route, request));
}

/** The token of a request, in the form of the header `Authorization`. */
export const presentedToken = (
  { tokenIn = [] }: Route,
  { headers, query, params }: FastifyRequest,
): string | undefined =>
  authorizationOf(tokenIn, { headers, query: query as Parameters, params: params as Parameters });
