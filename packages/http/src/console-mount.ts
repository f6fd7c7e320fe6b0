import type { FastifyRequest } from 'fastify';
import { httpError } from '@millrace/api/errors';
import type { Settings } from './settings/settings.js';
import { consoleApi } from './route-table/paths.js';
import { isLoopback } from './connections/sender.js';

/**
 * The second mount of the route table, below `/console/api`. Requests there are authenticated by a
 * session cookie. Browsers also send the cookie for pages of other origins and of other ports of
 * this host, because cookies ignore ports. So each request has to prove that a page of the console
 * made it. The other mount never reads cookies.
 */

/** Whether a request was sent to the second mount. */
export const isMounted = ({ originalUrl }: FastifyRequest): boolean => originalUrl.startsWith(`${consoleApi}/`);

/** A header that pages of other origins can send only after a preflight, which is rejected. */
const consoleHeader = 'x-millrace-console';

/** Content types that a page can send to another origin without a preflight: those of forms. */
const formTypes = ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain'];

/** @throws HttpError `not-from-console`, `route-not-found` if there is no console */
export function requireConsole(request: FastifyRequest, settings: Settings): void {
  const { method, headers, originalUrl } = request;
  if (!settings.console) throw httpError('route-not-found', { method, path: originalUrl.split('?')[0]! });
  const problem = problemOf(request, settings);
  if (problem !== undefined) throw httpError('not-from-console', { problem });
  if (headers.authorization !== undefined && !isSignIn(request))
    throw httpError('not-from-console', { problem: 'use the session cookie, not the Authorization header' });
}

/** Whether a request creates a session from a token. */
const isSignIn = ({ url }: FastifyRequest): boolean => url.startsWith(consoleApi);

function problemOf(request: FastifyRequest, settings: Settings): string | undefined {
  const { headers } = request;
  const site = headers['sec-fetch-site'];
  if (site === undefined ? !mayLackSite(request, settings) : site !== 'same-origin')
    return `Sec-Fetch-Site is ${site ?? 'missing'}, not same-origin`;
  if (headers.origin !== undefined && hostIn(headers.origin) !== request.host)
    return `Origin is ${headers.origin}, but the request went to ${request.host}; a proxy in front has to pass on the header Host`;
  if (headers[consoleHeader] !== '1') return 'the header X-Millrace-Console: 1 is missing';
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (type !== undefined && formTypes.includes(type)) return `its content type is ${type}, which is that of a form`;
  return undefined;
}

/** Browsers send `Sec-Fetch-Site` only to trustworthy origins: over HTTPS or to loopback. */
function mayLackSite(request: FastifyRequest, settings: Settings): boolean {
  const { protocol, host } = request;
  const https = protocol === 'https';
  return settings.consolePlainHttp && !https && !isLoopback(host);
}

function hostIn(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}
