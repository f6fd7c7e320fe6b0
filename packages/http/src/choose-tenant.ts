import type { FastifyRequest } from 'fastify';
import { httpError, HttpError } from '@millrace/api/errors';
import { otherOrganization } from './access/authenticate.js';
import { isMounted } from './console-mount.js';
import type { AppOptions } from './new-fastify.js';
import type { Route } from './route.js';
import { memberOf, presentedToken } from './principal-of.js';
import type { Tenant } from './serve.js';
import { senderOf } from './connections/sender.js';
import { sessionIn } from './session-cookie.js';

/** Which organization a request is for. */

/** What an organization has to itself. */
export type TenantOptions = Pick<
  AppOptions,
  'settings' | 'metadata' | 'routes' | 'metrics' | 'audit' | 'refused' | 'clock'
>;

/** The organizations of a server beyond the first. */
export interface Tenancy {
  /** Whether there is none. */
  readonly isEmpty: boolean;
  /** Gives the way to serve an organization, before the first request. */
  serveWith(compose: (options: TenantOptions) => Tenant): void;
  /** ID of the first organization. */
  readonly primaryId: string;
  /** The one that a token, code or session leads to; undefined for the first. */
  idOf(secret: string): string | undefined;
  has(id: string): boolean;
  /** The organization with this ID, opened if necessary. */
  open(id: string): Promise<Tenant>;
}

interface Choice {
  readonly tenant: Tenant;
  /** The organization of the token or session, if its person is a member of both. */
  readonly home?: Tenant;
  /** Why the request must be rejected. */
  readonly problem?: HttpError;
}

const orgHeader = 'x-axiom-org-id';

/**
 * The organization of the request's token, or the one that the header names: for public routes, and
 * for people who are members of both. A header that names no organization of this server has no
 * effect, as on a server with one.
 */
export async function chooseTenant(
  tenancy: Tenancy | undefined,
  primary: Tenant,
  route: Route,
  request: FastifyRequest,
): Promise<Choice> {
  if (tenancy === undefined || tenancy.isEmpty) return { tenant: primary };
  const sent = request.headers[orgHeader];
  const wanted = typeof sent === 'string' && tenancy.has(sent) ? sent : undefined;
  const maxPerToken = tenancy.idOf(secretOf(primary, route, request)) ?? tenancy.primaryId;
  const id = route.need.scope === 'public' ? (wanted ?? maxPerToken) : maxPerToken;
  const tenant = id === tenancy.primaryId ? primary : await tenancy.open(id);
  if (wanted === undefined || wanted === id) return { tenant };
  // A session of one organization never begins with a token of another.
  if (route.signsIn === true) return { tenant, problem: httpError('unauthenticated', { reason: otherOrganization }) };
  const other = wanted === tenancy.primaryId ? primary : await tenancy.open(wanted);
  try {
    await memberOf(other.gate, tenant, route, request);
    return { tenant: other, home: tenant };
  } catch (error) {
    // Recorded by the organization of the token: others must not fill each other's audit logs.
    if (error instanceof HttpError && error.code === 'unauthenticated') return { tenant, problem: error };
    throw error;
  }
}

/** The token, code or session of a request; empty if there is none. */
function secretOf({ gate }: Tenant, route: Route, request: FastifyRequest): string {
  if (isMounted(request) && route.signsIn !== true)
    return sessionIn(request.headers.cookie, senderOf(request, gate)) ?? '';
  const authorization = route.signsIn === true ? request.headers.authorization : presentedToken(route, request);
  return /^bearer +(\S+)$/i.exec((authorization ?? '').trim())?.[1] ?? '';
}
